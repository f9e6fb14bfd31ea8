-- purpose: Apple's side by cell; what one unit brought is one figure where all units brought the same, else their average.
-- parameters: none
-- grain:   tie_l3 one row per product, storefront, price, sign, day and settlement period
create temp table tie_l3 on commit drop as
select
    sku, country, currency, price, sign, day, fiscal_period,
    min(region) as region,
    min(apple_identifier) as apple_identifier,
    min(order_type) as order_type,
    min(settlement_from) as settlement_from,
    max(settlement_to) as settlement_to,
    min(share_currency) as share_currency,
    sum(units)::bigint as units,
    sum(extended) as extended,
    count(*) as share_count,
    case when count(*) = 1 then min(share) else round(abs(sum(extended)) / nullif(sum(units), 0), 10) end as unit_share,
    string_agg(trim_scale(share) || ' x ' || units, ', ' order by share, share_currency) as share_counts
from tie_share
group by sku, country, currency, price, sign, day, fiscal_period;
