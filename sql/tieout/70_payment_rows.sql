-- purpose: the payment of the period beside what Apple's reports say was earned; see functions/finance/payment_parts.sql.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- grain:   tie_payment one row per region and currency
create temp table tie_payment on commit drop as
with earned as (
    select
        told.region, told.currency,
        sum(told.quantity) filter (where told.report = 'FINANCE_DETAIL') as detail_units,
        sum(told.amount) filter (where told.report = 'FINANCE_DETAIL') as detail,
        sum(told.quantity) filter (where told.report = 'FINANCIAL') as financial_units,
        sum(told.amount) filter (where told.report = 'FINANCIAL') as financial
    from earned_lines() as told
    group by told.region, told.currency
),
paid as (
    select
        told.region, told.name, told.currency, bool_or(told.is_paid) as is_paid, sum(told.units) as units,
        sum(told.balance) as balance, sum(told.earned) as earned, sum(told.pre_tax_subtotal) as pre_tax_subtotal,
        sum(told.input_tax) as input_tax, sum(told.adjustments) as adjustments, sum(told.withholding_tax) as withholding_tax,
        sum(told.total_owed) as total_owed,
        -- Of several vendors a rate stands that is that of each; where their roundings come to a coin more, it is none of the sum.
        case
            when min(told.rate_printed) = max(told.rate_printed)
                and (
                    is_rate_off(sum(told.total_owed), min(told.rate_printed), sum(told.proceeds), min(told.bank_currency)) is not true
                    or bool_or(is_rate_off(told.total_owed, told.rate_printed, told.proceeds, told.bank_currency))
                )
                then min(told.rate_printed)
        end as rate_printed,
        sum(told.proceeds) as proceeds,
        min(told.bank_currency) as bank_currency, bool_and(told.is_estimate) as is_estimate
    from tie_paid as told
    group by told.region, told.name, told.currency
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
