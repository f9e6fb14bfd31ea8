-- purpose: export of report lines as Apple printed them, without thousands separators. All versions of restated reports are
--          listed; a column marks the effective one.
-- parameters: as_of (timestamptz)
-- grain:   one row per line of a file
select
    file.bytes_sha256 as file_sha256, finance_lines.report, finance_lines.fiscal_period, finance_lines.region, finance_lines.line,
    finance_lines.transaction_date::text as transaction_date,
    finance_lines.settlement_date::text as settlement_date,
    finance_lines.apple_identifier, finance_lines.sku, finance_lines.product_type, finance_lines.country_of_sale,
    finance_lines.quantity::text as quantity,
    finance_lines.customer_price::text as customer_price,
    finance_lines.customer_currency,
    finance_lines.partner_share::text as partner_share,
    finance_lines.extended_partner_share::text as extended_partner_share,
    finance_lines.partner_share_currency, finance_lines.sale_or_return, finance_lines.promo_code, finance_lines.order_type,
    finance_lines.title, finance_lines.developer, finance_lines.proceeds_reason, finance_lines.event,
    finance_lines.purchase_date::text as purchase_date,
    finance_lines.subscriber_id, file.is_current, file.file_name
from finance_files_at(:'as_of'::timestamptz) as file
inner join finance_lines on finance_lines.file_sha256 = file.file_sha256
order by
    finance_lines.report collate "C", file.period_from, file.region collate "C", finance_lines.file_sha256 collate "C",
    finance_lines.line;
