-- purpose: the payment of the period beside what Apple's reports say was earned. Which region a row of the payments page is, is told by
--          its name where that is known; else by the currency, where one region has it; else by the same money; and a
--          region that nobody can tell stays under the name that is printed.
-- parameters: as_of (timestamptz)
-- grain:   tie_payment one row per region and currency
create temp table tie_payment on commit drop as
with file as materialized (
    select known.*
    from finance_files_at(:'as_of'::timestamptz) as known
    inner join tie_run on tie_run.fiscal_period = known.fiscal_period
    where known.is_current
),
earned as (
    select
        coalesce(finance_lines.region, '') as region, finance_lines.partner_share_currency as currency,
        sum(finance_lines.quantity) filter (where file.report = 'FINANCE_DETAIL') as detail_units,
        sum(finance_lines.extended_partner_share) filter (where file.report = 'FINANCE_DETAIL') as detail,
        sum(finance_lines.quantity) filter (where file.report = 'FINANCIAL') as financial_units,
        sum(finance_lines.extended_partner_share) filter (where file.report = 'FINANCIAL') as financial
    from file
    inner join finance_lines on finance_lines.file_sha256 = file.file_sha256
    where file.report = 'FINANCE_DETAIL'
        -- A consolidated file and those of the regions tell the same money twice.
        or file.report = 'FINANCIAL'
        and (
            file.region <> 'ZZ'
            or not exists (
                select 1
                from file as region_file
                where region_file.report = 'FINANCIAL'
                    and region_file.region = finance_lines.region
                    and (region_file.vendor = file.vendor or region_file.vendor = '' or file.vendor = '')
            )
        )
    group by 1, 2
),
paid as (
    select
        payment_lines.region as name, payment_lines.currency, bool_or(payment_lines.is_paid) as is_paid,
        sum(payment_lines.units) as units, sum(payment_lines.balance) as balance, sum(payment_lines.earned) as earned,
        sum(payment_lines.pre_tax_subtotal) as pre_tax_subtotal, sum(payment_lines.input_tax) as input_tax,
        sum(payment_lines.adjustments) as adjustments, sum(payment_lines.withholding_tax) as withholding_tax,
        sum(payment_lines.total_owed) as total_owed, min(payment_lines.exchange_rate) as rate_printed,
        sum(payment_lines.proceeds) as proceeds, min(payment_lines.bank_currency) as bank_currency
    from file
    inner join payment_lines on payment_lines.file_sha256 = file.file_sha256
    where file.report = 'PAYMENTS'
    group by 1, 2
),
told as (
    select
        paid.*,
        coalesce(
            payment_regions.region,
            case
                when 1 = (select count(*) from earned where earned.currency = paid.currency)
                    and 1 = (select count(*) from paid as beside where beside.currency = paid.currency)
                    then (select earned.region from earned where earned.currency = paid.currency)
            end,
            (
                select min(earned.region)
                from earned
                where earned.currency = paid.currency
                    and coalesce(earned.detail, earned.financial) = paid.earned
                having count(*) = 1
            ),
            paid.name
        ) as region
    from paid
    left join payment_regions on payment_regions.name = paid.name
),
one as (
    select
        region, currency, string_agg(name, ', ' order by name) as name, bool_or(is_paid) as is_paid, sum(units) as units,
        sum(balance) as balance, sum(earned) as earned, sum(pre_tax_subtotal) as pre_tax_subtotal, sum(input_tax) as input_tax,
        sum(adjustments) as adjustments, sum(withholding_tax) as withholding_tax, sum(total_owed) as total_owed,
        case when count(*) = 1 then min(rate_printed) end as rate_printed, sum(proceeds) as proceeds,
        min(bank_currency) as bank_currency
    from told
    group by region, currency
)
select
    coalesce(one.region, earned.region) as region, coalesce(one.currency, earned.currency) as currency, one.name as region_name,
    coalesce(earned.detail_units, earned.financial_units, one.units) as units, earned.detail as earned_detail,
    earned.financial as earned_financial, one.earned as earned_payment, one.balance as brought_forward, one.pre_tax_subtotal,
    one.input_tax, one.adjustments, one.withholding_tax, one.total_owed, one.rate_printed, one.proceeds, one.bank_currency,
    one.is_paid
from one
full join earned on earned.region = one.region and earned.currency = one.currency;
