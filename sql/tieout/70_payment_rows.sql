-- purpose: the payment of the period next to the earned money of Apple's reports; see functions/finance/payment_parts.sql.
-- grain:   tie_payment one row per region and currency
create temp table tie_payment on commit drop as
with earned as (
    select
        entry.region, entry.currency,
        sum(entry.quantity) filter (where entry.report = 'FINANCE_DETAIL') as detail_units,
        sum(entry.amount) filter (where entry.report = 'FINANCE_DETAIL') as detail,
        sum(entry.quantity) filter (where entry.report = 'FINANCIAL') as financial_units,
        sum(entry.amount) filter (where entry.report = 'FINANCIAL') as financial
    from earned_lines() as entry
    group by entry.region, entry.currency
),
paid as (
    select
        entry.region, entry.name, entry.currency, bool_or(entry.is_paid) as is_paid, sum(entry.units) as units,
        sum(entry.balance) as balance, sum(entry.earned) as earned, sum(entry.pre_tax_subtotal) as pre_tax_subtotal,
        sum(entry.input_tax) as input_tax, sum(entry.adjustments) as adjustments, sum(entry.withholding_tax) as withholding_tax,
        sum(entry.total_owed) as total_owed,
        -- A rate shared by several vendors is kept, unless their roundings make the sum differ by a coin.
        case
            when min(entry.rate_printed) = max(entry.rate_printed)
                and (
                    is_rate_off(sum(entry.total_owed), min(entry.rate_printed), sum(entry.proceeds), min(entry.bank_currency)) is not true
                    or bool_or(is_rate_off(entry.total_owed, entry.rate_printed, entry.proceeds, entry.bank_currency))
                )
                then min(entry.rate_printed)
        end as rate_printed,
        sum(entry.proceeds) as proceeds,
        min(entry.bank_currency) as bank_currency, bool_and(entry.is_estimate) as is_estimate
    from tie_paid as entry
    group by entry.region, entry.name, entry.currency
),
one as (
    select
        region, currency, string_agg(name, ', ' order by name collate "C") as name, bool_or(is_paid) as is_paid, sum(units) as units,
        sum(balance) as balance, sum(earned) as earned, sum(pre_tax_subtotal) as pre_tax_subtotal, sum(input_tax) as input_tax,
        sum(adjustments) as adjustments, sum(withholding_tax) as withholding_tax, sum(total_owed) as total_owed,
        case when count(*) = 1 then min(rate_printed) end as rate_printed, sum(proceeds) as proceeds,
        min(bank_currency) as bank_currency, bool_and(is_estimate) as is_estimate
    from paid
    group by region, currency
)
select
    coalesce(one.region, earned.region) as region, coalesce(one.currency, earned.currency) as currency, one.name as region_name,
    coalesce(earned.detail_units, earned.financial_units, one.units) as units, earned.detail as earned_detail,
    earned.financial as earned_financial, one.earned as earned_payment, one.balance as brought_forward, one.pre_tax_subtotal,
    one.input_tax, one.adjustments, one.withholding_tax, one.total_owed, one.rate_printed, one.proceeds, one.bank_currency,
    one.is_paid, coalesce(one.is_estimate, false) as is_estimate
from one
full join earned on earned.region = one.region and earned.currency = one.currency;
