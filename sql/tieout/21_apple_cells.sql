-- purpose: Apple's side by cell; what one unit brought is one figure where all units brought the same, else their average.
-- parameters: none
-- grain:   tie_l3 one row per product, storefront, price, sign, day and settlement period
create temp table tie_l3 on commit drop as
with told as (
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
        case when count(*) = 1 then min(share) else round(abs(sum(extended)) / nullif(sum(units), 0), 10) end as unit_share
    from tie_share
    group by sku, country, currency, price, sign, day, fiscal_period
),
-- Several shares are put in order where there are any; nothing is sorted for them elsewhere.
mixed as (
    select
        tie_share.sku, tie_share.country, tie_share.currency, tie_share.price, tie_share.sign, tie_share.day, tie_share.fiscal_period,
        string_agg(
            trim_scale(tie_share.share) || ' x ' || tie_share.units, ', ' order by tie_share.share, tie_share.share_currency
        ) as share_counts
    from tie_share
    inner join told
        on told.sku = tie_share.sku
        and told.country = tie_share.country
        and told.currency = tie_share.currency
        and told.price = tie_share.price
        and told.sign = tie_share.sign
        and told.day = tie_share.day
        and told.fiscal_period = tie_share.fiscal_period
    where told.share_count > 1
    group by 1, 2, 3, 4, 5, 6, 7
)
select
    told.*,
    case told.share_count when 1 then trim_scale(told.unit_share) || ' x ' || told.units else mixed.share_counts end as share_counts
from told
left join mixed
    on mixed.sku = told.sku
    and mixed.country = told.country
    and mixed.currency = told.currency
    and mixed.price = told.price
    and mixed.sign = told.sign
    and mixed.day = told.day
    and mixed.fiscal_period = told.fiscal_period
    and told.share_count > 1;
