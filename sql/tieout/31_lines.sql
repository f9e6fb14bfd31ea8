-- purpose: cell lines, numbered by their key; cells of a line differ only in day and period.
-- grain:   tie_line one row per product, storefront, currency, sign and price; product_no numbers the first four columns
create temp table tie_line on commit drop as
select
    row_number() over (order by sku, country, currency, sign, price) as line_no,
    dense_rank() over (order by sku, country, currency, sign) as product_no,
    side.sku, side.country, side.currency, side.sign, trim_scale(side.price) as price
from (
    select sku, country, currency, case when kind = 'sale' then 1 else -1 end as sign, price
    from tie_our_day
    where kind in ('sale', 'refund', 'partial')
    union
    select sku, country, currency, sign, price
    from tie_l3
) as side;
