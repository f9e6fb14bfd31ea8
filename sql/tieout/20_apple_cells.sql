-- purpose: Apple's side by cell: lines of in-app purchases, and what one unit brought: one figure where all units brought the same, else
--          their average. A restored purchase (IA3) carries no money; paid apps and bundles are none of ours to prove. SUBSCRIBER prints
--          numbers of products alone: these are known from other reports.
-- parameters: as_of (timestamptz)
-- grain:   tie_l3 one row per product, storefront, price, sign, day and settlement period
create temp table tie_l3 on commit drop as
with numbered as materialized (
    select finance_lines.apple_identifier, min(finance_lines.sku) as sku
    from finance_files_at(:'as_of'::timestamptz) as known
    inner join finance_lines on finance_lines.file_sha256 = known.file_sha256
    where finance_lines.sku is not null
        and exists (select 1 from tie_file where tie_file.source = 'SUBSCRIBER')
    group by finance_lines.apple_identifier
),
line as not materialized (
    select
        coalesce(finance_lines.sku, numbered.sku, finance_lines.apple_identifier, '') as sku,
        finance_lines.country_of_sale as country,
        coalesce(finance_lines.customer_currency, '') as currency,
        coalesce(abs(finance_lines.customer_price), 0) as price,
        case when finance_lines.sale_or_return = 'R' or finance_lines.quantity < 0 then -1 else 1 end as sign,
        case
            when tie_file.source = 'FINANCIAL' then tie_file.starts_on
            else finance_lines.transaction_date
        end as day,
        tie_file.fiscal_period,
        abs(finance_lines.partner_share) as share,
        finance_lines.partner_share_currency as share_currency,
        finance_lines.region, finance_lines.apple_identifier, finance_lines.order_type,
        -- What has no day has no settlement day either.
        case when tie_file.source <> 'FINANCIAL' then finance_lines.settlement_date end as settlement_date,
        finance_lines.quantity, finance_lines.extended_partner_share
    from tie_file
    inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
    left join numbered
        on numbered.apple_identifier = finance_lines.apple_identifier
        and tie_file.source = 'SUBSCRIBER'
    where (
            tie_file.source = 'SUBSCRIBER'
            or (finance_lines.product_type like 'IA%' or finance_lines.product_type like 'FI%')
            and finance_lines.product_type not like 'IA3%'
        )
        and case
            when tie_file.source in ('SALES', 'SUBSCRIBER') then finance_lines.transaction_date = tie_file.starts_on
            else tie_file.fiscal_period = (select fiscal_period from tie_run)
                or tie_file.source = 'FINANCIAL'
                or finance_lines.transaction_date between (select day_from from tie_run) and (select day_to from tie_run)
        end
),
told as materialized (
    select
        sku, country, currency, price, sign, day, fiscal_period,
        min(region) as region,
        min(apple_identifier) as apple_identifier,
        min(order_type) as order_type,
        min(settlement_date) as settlement_from,
        max(settlement_date) as settlement_to,
        min(share) as share,
        min(share_currency) as share_currency,
        sum(abs(quantity)::bigint)::bigint as units,
        sum(extended_partner_share) as extended,
        min(order_type) <> max(order_type) is true as is_mixed,
        min(share) is distinct from max(share)
        or min(share_currency) is distinct from max(share_currency)
        or count(share) not in (0, count(*))
        or count(share_currency) not in (0, count(*)) as is_shared
    from line
    group by 1, 2, 3, 4, 5, 6, 7
),
-- Sales of one kind and at one share are the rule: several are put in order where there are any, and nothing is sorted for them elsewhere.
share as (
    select
        line.sku, line.country, line.currency, line.price, line.sign, line.day, line.fiscal_period, line.share, line.share_currency,
        coalesce(string_agg(distinct line.order_type, ' '), '') as order_type, sum(abs(line.quantity)::bigint)::bigint as units
    from line
    inner join (select distinct sku, country, currency, day from told where is_mixed or is_shared) as asked
        on asked.sku = line.sku
        and asked.country = line.country
        and asked.currency = line.currency
        and asked.day = line.day
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
),
several as (
    select
        sku, country, currency, price, sign, day, fiscal_period, min(order_type) as order_type, count(*) as share_count,
        string_agg(trim_scale(share) || ' x ' || units, ', ' order by share, share_currency) as share_counts
    from share
    group by 1, 2, 3, 4, 5, 6, 7
)
select
    told.sku, told.country, told.currency, told.price, told.sign, told.day, told.fiscal_period, told.region, told.apple_identifier,
    coalesce(several.order_type, told.order_type, '') as order_type, told.settlement_from, told.settlement_to, told.share_currency,
    told.units, told.extended, coalesce(several.share_count, 1) as share_count,
    case when told.is_shared then round(abs(told.extended) / nullif(told.units, 0), 10) else told.share end as unit_share,
    case when told.is_shared then several.share_counts else trim_scale(told.share) || ' x ' || told.units end as share_counts
from told
left join several
    on several.sku = told.sku
    and several.country = told.country
    and several.currency = told.currency
    and several.price = told.price
    and several.sign = told.sign
    and several.day = told.day
    and several.fiscal_period = told.fiscal_period;
