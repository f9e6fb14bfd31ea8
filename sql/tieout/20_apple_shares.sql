-- purpose: Apple's side: lines of in-app purchases by what makes a cell, and by what one unit brought. A restored purchase (IA3)
--          carries no money; paid apps and bundles are none of ours to prove.
-- parameters: none
-- grain:   tie_share one row per product, storefront, price, sign, day, settlement period and unit share
create temp table tie_share on commit drop as
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
    min(finance_lines.region) as region,
    min(finance_lines.apple_identifier) as apple_identifier,
    coalesce(string_agg(distinct finance_lines.order_type, ' '), '') as order_type,
    min(finance_lines.settlement_date) as settlement_from,
    max(finance_lines.settlement_date) as settlement_to,
    sum(abs(finance_lines.quantity))::bigint as units,
    sum(finance_lines.extended_partner_share) as extended
from tie_file
inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
where (finance_lines.product_type like 'IA%' or finance_lines.product_type like 'FI%')
    and finance_lines.product_type not like 'IA3%'
    and (
        tie_file.fiscal_period = (select fiscal_period from tie_run)
        or tie_file.source = 'FINANCIAL'
        or finance_lines.transaction_date between (select day_from from tie_run) and (select day_to from tie_run)
    )
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
