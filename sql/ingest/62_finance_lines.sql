-- purpose: records the lines of a report. A line without a region takes the region of its file or storefront. SALES and
--          SUBSCRIBER print proceeds per unit; the proceeds of all units are computed.
-- parameters: file_sha256 (text)
-- grain:   one row per line
with day as (
    select line_day.day, fiscal_periods.fiscal_period
    from (select distinct transaction_date::date as day from staged_finance) as line_day
    inner join fiscal_periods on line_day.day between fiscal_periods.starts_on and fiscal_periods.ends_on
),
place as (
    select country as code, min(region) as region from storefronts group by country
    union all
    select storefront, region from storefronts
)
insert into finance_lines (
    file_sha256, line, report, fiscal_period, region, transaction_date, settlement_date, apple_identifier, sku, title, developer,
    product_type, country_of_sale, quantity, customer_price, customer_currency, partner_share, extended_partner_share,
    partner_share_currency, sale_or_return, promo_code, order_type, proceeds_reason, event, purchase_date, subscriber_id
)
select
    finance_files.file_sha256, staged_finance.line, finance_files.report,
    case
        when finance_files.report in ('FINANCIAL', 'FINANCE_DETAIL') then finance_files.fiscal_period
        else day.fiscal_period
    end,
    coalesce(
        staged_finance.region, case when finance_files.region not in ('ZZ', 'Z1', '') then finance_files.region end,
        place.region
    ),
    staged_finance.transaction_date::date, staged_finance.settlement_date::date, staged_finance.apple_identifier,
    staged_finance.sku, staged_finance.title, staged_finance.developer, staged_finance.product_type, staged_finance.country_of_sale,
    counted.quantity, staged_finance.customer_price::numeric, staged_finance.customer_currency,
    staged_finance.partner_share::numeric,
    coalesce(
        staged_finance.extended_partner_share::numeric, counted.quantity * abs(staged_finance.partner_share::numeric)
    ),
    staged_finance.partner_share_currency,
    coalesce(staged_finance.sale_or_return, case when counted.quantity < 0 then 'R' else 'S' end),
    staged_finance.promo_code, staged_finance.order_type, staged_finance.proceeds_reason, staged_finance.event,
    staged_finance.purchase_date::date, staged_finance.subscriber_id
from staged_finance
inner join finance_files on finance_files.file_sha256 = :'file_sha256'::text
left join place on place.code = staged_finance.country_of_sale
left join day on day.day = staged_finance.transaction_date::date
cross join lateral (
    select case
        -- One row is one event; a refund has a negative price or a refund flag.
        when finance_files.report = 'SUBSCRIBER'
            then abs(coalesce(staged_finance.quantity::numeric, 1)) * case
                when staged_finance.customer_price::numeric < 0 or lower(staged_finance.refund) in ('yes', 'y', 'true', '1') then -1
                else 1
            end
        else staged_finance.quantity::numeric
    end as quantity
) as counted;
