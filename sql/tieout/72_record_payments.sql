-- purpose: stores the bridge from earned money to the bank.
-- grain:   one row per region and currency
insert into payrecon.tieout_payments (
    fiscal_period, as_of, region, currency, region_name, units, earned_detail, earned_financial, earned_payment, brought_forward,
    pre_tax_subtotal, input_tax, adjustments, withholding_tax, total_owed, rate_printed, proceeds, bank_currency, is_paid, paid_on,
    bank_reference, bank_amount, bank_expected, estimated_rate, estimated_from, estimated_proceeds, estimated_currency, is_estimate
)
select
    tie_run.fiscal_period, tie_run.as_of, tie_payment.region, tie_payment.currency, tie_payment.region_name, tie_payment.units,
    tie_payment.earned_detail, tie_payment.earned_financial, tie_payment.earned_payment, tie_payment.brought_forward,
    tie_payment.pre_tax_subtotal, tie_payment.input_tax, tie_payment.adjustments, tie_payment.withholding_tax,
    tie_payment.total_owed, tie_payment.rate_printed, tie_payment.proceeds, tie_payment.bank_currency, tie_payment.is_paid,
    tie_bank.paid_on, concat_ws(' ', nullif(tie_bank.reference, ''), tie_bank.bank_line_id), tie_bank.bank_amount,
    tie_bank.bank_expected, tie_estimate.rate, tie_estimate.rate_source, tie_estimate.proceeds, tie_estimate.bank_currency,
    tie_payment.is_estimate
from tie_payment
cross join tie_run
left join tie_bank on tie_bank.region = tie_payment.region and tie_bank.currency = tie_payment.currency
left join tie_estimate on tie_estimate.region = tie_payment.region and tie_estimate.currency = tie_payment.currency;
