-- purpose: the lines of cells, numbered by what makes them: cells of a line differ in their day and period alone.
-- parameters: none
-- grain:   tie_line one row per product, storefront, currency, sign, price and kind of return; product_no is that of the first four
create temp table tie_line on commit drop as
select
    row_number() over (order by sku, country, currency, sign, price, is_partial) as line_no,
    dense_rank() over (order by sku, country, currency, sign) as product_no,
    told.sku, told.country, told.currency, told.sign, trim_scale(told.price) as price, told.is_partial
from (
    select
        sku, country, currency, case when kind = 'sale' then 1 else -1 end as sign, price, kind = 'partial' as is_partial
    from tie_our_day
    where kind in ('sale', 'refund', 'partial')
    union
    select sku, country, currency, sign, price, false
    from tie_l3
) as told;
