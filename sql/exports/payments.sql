-- purpose: export of the rows of payments files, with the effective exchange rate: proceeds divided by the amount owed.
-- parameters: as_of (timestamptz)
-- grain:   one row per row of a payments file
select
    file.bytes_sha256 as file_sha256, payment_lines.fiscal_period as period, payment_lines.region, payment_lines.currency,
    payment_lines.units::text as units,
    payment_lines.earned::text as earned,
    payment_lines.pre_tax_subtotal::text as pre_tax_subtotal,
    payment_lines.input_tax::text as input_tax,
    payment_lines.adjustments::text as adjustments,
    payment_lines.withholding_tax::text as withholding_tax,
    payment_lines.total_owed::text as total_owed,
    payment_lines.exchange_rate::text as rate_printed,
    derived_rate(payment_lines.proceeds, payment_lines.total_owed)::text as rate_derived,
    payment_lines.proceeds::text as proceeds,
    payment_lines.bank_currency,
    payment_lines.balance::text as balance,
    payment_lines.is_paid, payment_lines.line, file.is_current, file.file_name
from finance_files_at(:'as_of'::timestamptz) as file
inner join payment_lines on payment_lines.file_sha256 = file.file_sha256
order by payment_lines.fiscal_period collate "C", payment_lines.file_sha256 collate "C", payment_lines.line;
