-- purpose: the products from which Apple's time zones are learned: the largest ones of each storefront.
-- planner: set local enable_sort = off
-- grain:   tie_offset_line one row per product and price
create temp table tie_offset_line on commit drop as
with product as (
    select tie_l3.country, tie_l3.sku, tie_l3.currency, tie_l3.price, sum(tie_l3.units) as units
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    where tie_l3.sign = 1
        and tie_l3.price > 0
        and tie_period.source in ('FINANCE_DETAIL', 'SALES')
    group by tie_l3.country, tie_l3.sku, tie_l3.currency, tie_l3.price
),
-- An unknown storefront is its own country; whether we sold in it is known once our charges are read.
place as (
    select storefronts.storefront, storefronts.country
    from storefronts
    union all
    select distinct product.country, product.country
    from product
    where not exists (select 1 from storefronts where storefronts.storefront = product.country)
)
select
    ranked.*, row_number() over (order by storefront, sku, currency, price) as line_no
from (
    select
        place.storefront, product.*,
        row_number() over (partition by place.storefront order by product.units desc, product.sku, product.currency, product.price) as rank
    from product
    inner join place on place.country = product.country
) as ranked
where rank <= 5;
