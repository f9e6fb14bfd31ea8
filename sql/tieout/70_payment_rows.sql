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
    from tie_earned as entry
    group by entry.region, entry.currency
),
paid as (
    select
        entry.region, entry.currency, string_agg(distinct entry.name collate "C", ', ' order by entry.name collate "C") as name,
        bool_or(entry.is_paid) as is_paid, sum(entry.units) as units, sum(entry.balance) as balance, sum(entry.earned) as earned,
        sum(entry.pre_tax_subtotal) as pre_tax_subtotal, sum(entry.input_tax) as input_tax, sum(entry.adjustments) as adjustments,
        sum(entry.withholding_tax) as withholding_tax, sum(entry.total_owed) as total_owed,
        -- A rate shared by several vendors is kept, unless their roundings make the sum differ by a coin.
        case
            when min(entry.name) = max(entry.name)
                and min(entry.rate_printed) = max(entry.rate_printed)
                and (
                    is_rate_off(sum(entry.total_owed), min(entry.rate_printed), sum(entry.proceeds), min(entry.bank_currency)) is not true
                    or bool_or(is_rate_off(entry.total_owed, entry.rate_printed, entry.proceeds, entry.bank_currency))
                )
                then min(entry.rate_printed)
        end as rate_printed,
        sum(entry.proceeds) as proceeds,
        min(entry.bank_currency) as bank_currency, bool_and(entry.is_estimate) as is_estimate
    from tie_paid as entry
    group by entry.region, entry.currency
)
select
    coalesce(paid.region, earned.region) as region, coalesce(paid.currency, earned.currency) as currency, paid.name as region_name,
    coalesce(earned.detail_units, earned.financial_units, paid.units) as units, earned.detail as earned_detail,
    earned.financial as earned_financial, paid.earned as earned_payment, paid.balance as brought_forward, paid.pre_tax_subtotal,
    paid.input_tax, paid.adjustments, paid.withholding_tax, paid.total_owed, paid.rate_printed, paid.proceeds, paid.bank_currency,
    paid.is_paid, coalesce(paid.is_estimate, false) as is_estimate
from paid
full join earned on earned.region = paid.region and earned.currency = paid.currency;
