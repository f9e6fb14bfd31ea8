-- purpose: records catalogue prices; a second price for the same start is kept when it is the greater one.
-- parameters: none
-- grain:   one row per price touched
with recorded as (
    insert into catalogue_prices as known (
        bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from
    )
    select distinct on (bundle_id, product_id, storefront, currency, valid_from)
        bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from
    from staged_product
    where price_milliunits is not null
        and currency is not null
    order by bundle_id, product_id, storefront, currency, valid_from, price_milliunits desc
    on conflict (bundle_id, product_id, storefront, currency, valid_from) do update
    set price_milliunits = excluded.price_milliunits, batch_id = excluded.batch_id
    where excluded.price_milliunits > known.price_milliunits
    returning bundle_id, product_id, storefront, currency, valid_from, batch_id
),
-- The statement reads what was there before it: the version that is replaced.
kept as (
    insert into catalogue_price_versions (
        bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from, replaced_by_batch_id
    )
    select
        catalogue_prices.bundle_id, catalogue_prices.product_id, catalogue_prices.storefront,
        catalogue_prices.currency, catalogue_prices.price_milliunits, catalogue_prices.batch_id,
        catalogue_prices.valid_from, recorded.batch_id
    from recorded
    inner join catalogue_prices
        on catalogue_prices.bundle_id = recorded.bundle_id
        and catalogue_prices.product_id = recorded.product_id
        and catalogue_prices.storefront = recorded.storefront
        and catalogue_prices.currency = recorded.currency
        and catalogue_prices.valid_from = recorded.valid_from
    on conflict do nothing
)
select count(*) as changed_count
from recorded;
