-- purpose: records the rows of a payments file. Rows after the first blank line were carried forward, not paid. No row of a
--          month that Apple only estimates was paid.
-- parameters: file_sha256 (text)
-- grain:   one row per region and currency as printed
insert into payment_lines (
    file_sha256, line, fiscal_period, region, currency, is_paid, units, balance, earned, pre_tax_subtotal, input_tax, adjustments,
    withholding_tax, total_owed, exchange_rate, proceeds, bank_currency
)
select
    finance_files.file_sha256, staged_finance.line, finance_files.fiscal_period, staged_finance.region, staged_finance.currency,
    staged_finance.is_in_first_block and staged_finance.proceeds is not null and not finance_files.is_estimate,
    staged_finance.units::numeric, staged_finance.balance::numeric, staged_finance.earned::numeric,
    staged_finance.pre_tax_subtotal::numeric, staged_finance.input_tax::numeric, staged_finance.adjustments::numeric,
    staged_finance.withholding_tax::numeric, staged_finance.total_owed::numeric, staged_finance.exchange_rate::numeric,
    staged_finance.proceeds::numeric, staged_finance.bank_currency
from staged_finance
inner join finance_files on finance_files.file_sha256 = :'file_sha256'::text;
