-- purpose: PRICE_OFF_CATALOG: a price that is not the catalogue's. Offers are left out; a renewal may keep any earlier
--          price (preserved prices).
-- grain:   one finding per charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, amount_milliunits, currency, breaks_at, detail
)
with listed as (
    select
        catalogue_prices.*,
        lead(valid_from, 1, 'infinity') over (
            partition by bundle_id, product_id, storefront, currency order by valid_from
        ) as valid_to
    from catalogue_prices
),
half_period as materialized (
    select bundle_id, product_id, period::interval / 2 as length
    from products
    where period is not null
),
priced as (
    select
        charges.*,
        coalesce(local_price.price_milliunits, common_price.price_milliunits) * charges.quantity as expected_milliunits
    from in_charges as charges
    left join listed as local_price
        on local_price.bundle_id = charges.bundle_id
        and local_price.product_id = charges.product_id
        and local_price.currency = charges.currency
        and local_price.storefront = charges.storefront
        and local_price.valid_from <= charges.purchased_at
        and local_price.valid_to > charges.purchased_at
    left join listed as common_price
        on common_price.bundle_id = charges.bundle_id
        and common_price.product_id = charges.product_id
        and common_price.currency = charges.currency
        and common_price.storefront = ''
        and common_price.valid_from <= charges.purchased_at
        and common_price.valid_to > charges.purchased_at
    where charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and charges.offer_type is null
        and charges.price_milliunits > 0
)
select
    'PRICE_OFF_CATALOG',
    'charge:' || priced.charge_id,
    priced.bundle_id,
    'Production',
    priced.charge_id,
    priced.transaction_ids[1],
    abs(priced.price_milliunits - priced.expected_milliunits),
    priced.currency,
    priced.purchased_at,
    phrase(
        'detail.catalogue', 'ours', money_text(priced.expected_milliunits, priced.currency),
        'theirs', money_text(priced.price_milliunits, priced.currency)
    )
from priced
where priced.expected_milliunits <> priced.price_milliunits
    -- A yearly commitment paid by the month has charges of one month, for which the catalogue lists no price.
    and not exists (
        select 1
        from half_period
        where half_period.bundle_id = priced.bundle_id
            and half_period.product_id = priced.product_id
            and priced.expires_at < priced.purchased_at + half_period.length
    )
    and not (
        priced.is_renewal
        and exists (
            select 1
            from catalogue_prices
            where catalogue_prices.bundle_id = priced.bundle_id
                and catalogue_prices.product_id = priced.product_id
                and catalogue_prices.currency = priced.currency
                and catalogue_prices.storefront in (priced.storefront, '')
                and catalogue_prices.valid_from <= priced.purchased_at
                and catalogue_prices.price_milliunits::numeric * priced.quantity = priced.price_milliunits
        )
    );
