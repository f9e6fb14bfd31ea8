-- purpose: the newest price of each product and currency, with which a preview compares the amounts of a file.
-- parameters: row_max (bigint): largest number of rows
-- grain:   one row per product and currency
select distinct on (product_id, currency) product_id, currency, price_milliunits
from catalogue_prices
order by product_id asc, currency asc, valid_from desc, storefront asc
limit :'row_max'::bigint;
