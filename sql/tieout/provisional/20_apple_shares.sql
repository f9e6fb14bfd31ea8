-- purpose: Apple's side of the days from SALES, which prints products, or SUBSCRIBER, which prints their numbers: these are known
--          from other reports.
-- parameters: as_of (timestamptz)
-- grain:   tie_share one row per product, storefront, price, sign, day and unit share
create temp table tie_share on commit drop as
with numbered as (
    select apple_identifier, min(sku) as sku
    from finance_files_at(:'as_of'::timestamptz) as known
    inner join finance_lines on finance_lines.file_sha256 = known.file_sha256
    where sku is not null
        and exists (select 1 from tie_file where tie_file.source = 'SUBSCRIBER')
    group by apple_identifier
)
select
    coalesce(finance_lines.sku, numbered.sku, finance_lines.apple_identifier, '') as sku,
    finance_lines.country_of_sale as country,
    coalesce(finance_lines.customer_currency, '') as currency,
    coalesce(abs(finance_lines.customer_price), 0) as price,
    case when finance_lines.sale_or_return = 'R' or finance_lines.quantity < 0 then -1 else 1 end as sign,
    finance_lines.transaction_date as day,
    tie_file.fiscal_period,
    abs(finance_lines.partner_share) as share,
    finance_lines.partner_share_currency as share_currency,
    min(finance_lines.region) as region,
    min(finance_lines.apple_identifier) as apple_identifier,
    coalesce(string_agg(distinct finance_lines.order_type, ' '), '') as order_type,
    null::date as settlement_from,
    null::date as settlement_to,
    sum(abs(finance_lines.quantity))::bigint as units,
    sum(finance_lines.extended_partner_share) as extended
from tie_file
inner join finance_lines
    on finance_lines.file_sha256 = tie_file.file_sha256
    and finance_lines.transaction_date = tie_file.starts_on
left join numbered on numbered.apple_identifier = finance_lines.apple_identifier
where tie_file.source = 'SUBSCRIBER'
    or (finance_lines.product_type like 'IA%' or finance_lines.product_type like 'FI%')
    and finance_lines.product_type not like 'IA3%'
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
