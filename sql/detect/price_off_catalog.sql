-- purpose: PRICE_OFF_CATALOG: a price that the catalogue does not explain; offers are left out, a renewal may keep any
--          earlier price (preserved prices).
-- grain:   one finding per charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, amount_milliunits, currency, breaks_at, detail
)
with listed as (
    select
        charges.charge_id,
        (
            array_agg(
                catalogue_prices.price_milliunits * charges.quantity
                order by (catalogue_prices.storefront <> '') desc, catalogue_prices.valid_from desc
            )
        )[1] as expected_milliunits,
        bool_or(
            charges.is_renewal
            and catalogue_prices.price_milliunits * charges.quantity = charges.price_milliunits
        ) as is_preserved
    from charges
    inner join catalogue_prices
        on catalogue_prices.bundle_id = charges.bundle_id
        and catalogue_prices.product_id = charges.product_id
        and catalogue_prices.currency = charges.currency
        and catalogue_prices.storefront in (charges.storefront, '')
        and catalogue_prices.valid_from <= charges.purchased_at
    where charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and charges.offer_type is null
        and charges.price_milliunits > 0
    group by charges.charge_id
)
select
    'PRICE_OFF_CATALOG',
    'charge:' || charges.charge_id,
    charges.bundle_id,
    'Production',
    charges.charge_id,
    charges.transaction_ids[1],
    abs(charges.price_milliunits - listed.expected_milliunits),
    charges.currency,
    charges.purchased_at,
    'Apple charged ' || charges.price_milliunits || ', the catalogue says ' || listed.expected_milliunits
        || ' thousandths ' || charges.currency
from listed
inner join charges on charges.charge_id = listed.charge_id
where listed.expected_milliunits <> charges.price_milliunits
    and not listed.is_preserved;
