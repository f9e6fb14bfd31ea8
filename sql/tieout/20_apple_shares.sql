-- purpose: Apple's side: lines of in-app purchases by what makes a cell, and by what one unit brought. A restored purchase (IA3)
--          carries no money; paid apps and bundles are none of ours to prove.
-- parameters: none
-- grain:   tie_share one row per product, storefront, price, sign, day, settlement period and unit share
create temp table tie_share on commit drop as
with line as not materialized (
    select
        coalesce(finance_lines.sku, finance_lines.apple_identifier, '') as sku,
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
    where (finance_lines.product_type like 'IA%' or finance_lines.product_type like 'FI%')
        and finance_lines.product_type not like 'IA3%'
        and (
            tie_file.fiscal_period = (select fiscal_period from tie_run)
            or tie_file.source = 'FINANCIAL'
            or finance_lines.transaction_date between (select day_from from tie_run) and (select day_to from tie_run)
        )
),
told as (
    select
        sku, country, currency, price, sign, day, fiscal_period, share, share_currency,
        min(region) as region,
        min(apple_identifier) as apple_identifier,
        coalesce(min(order_type), '') as order_type,
        min(order_type) <> max(order_type) as is_mixed,
        min(settlement_date) as settlement_from,
        max(settlement_date) as settlement_to,
        sum(abs(quantity))::bigint as units,
        sum(extended_partner_share) as extended
    from line
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
),
-- Sales of one kind are the rule: several kinds are put in order where there are any, and nothing is sorted for them elsewhere.
mixed as (
    select
        line.sku, line.country, line.currency, line.price, line.sign, line.day, line.fiscal_period, line.share, line.share_currency,
        string_agg(distinct line.order_type, ' ') as order_type
    from line
    inner join (select distinct sku, country, currency, day from told where is_mixed) as asked
        on asked.sku = line.sku
        and asked.country = line.country
        and asked.currency = line.currency
        and asked.day = line.day
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
)
select
    told.sku, told.country, told.currency, told.price, told.sign, told.day, told.fiscal_period, told.share, told.share_currency,
    told.region, told.apple_identifier, coalesce(mixed.order_type, told.order_type) as order_type, told.settlement_from,
    told.settlement_to, told.units, told.extended
from told
left join mixed
    on mixed.sku = told.sku
    and mixed.country = told.country
    and mixed.currency = told.currency
    and mixed.price = told.price
    and mixed.sign = told.sign
    and mixed.day = told.day
    and mixed.fiscal_period = told.fiscal_period
    and mixed.share is not distinct from told.share
    and mixed.share_currency is not distinct from told.share_currency
    and told.is_mixed;
