-- purpose: records catalogue prices; a second price for the same start is kept when it is the greater one.
-- parameters: none
-- grain:   one row per price touched
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
where excluded.price_milliunits > known.price_milliunits;
