-- purpose: estimated bank amount of money that was not paid out yet, at the rate of the newest payment of its region and
--          currency, or of its currency. The source in force on the period's last day selects the rate: report is the
--          effective rate of that payment, printed the rate on its page. Nothing else depends on these estimates.
-- parameters: as_of (timestamptz), source_days, source_names (text[]; parallel arrays: source from a day on; report before
--             the first)
-- grain:   tie_estimate one row per region and currency not paid out
create temp table tie_estimate on commit drop as
with source as (
    select coalesce(
        (
            select dated.name
            from unnest(:'source_days'::text[], :'source_names'::text[]) as dated (day, name)
            cross join tie_run
            where dated.day::date <= tie_run.ends_on
            order by dated.day::date desc
            limit 1
        ), 'report'
    ) as name
),
paid as (
    select
        tie_period.fiscal_period, tie_period.period_no, coalesce(payment_regions.region, payment_lines.region) as region,
        payment_lines.currency, payment_lines.bank_currency,
        case source.name
            when 'printed' then case when count(*) = 1 then min(payment_lines.exchange_rate) end
            else derived_rate(sum(payment_lines.proceeds), sum(payment_lines.total_owed))
        end as rate,
        source.name as source
    from finance_files_at(:'as_of'::timestamptz) as file
    inner join payment_lines on payment_lines.file_sha256 = file.file_sha256
    inner join tie_period on tie_period.fiscal_period = file.fiscal_period
    cross join tie_run
    cross join source
    left join payment_regions on payment_regions.name = payment_lines.region
    where file.report = 'PAYMENTS'
        and file.is_current
        and tie_period.period_no <= tie_run.period_no
        and payment_lines.is_paid
        and payment_lines.proceeds > 0
        and payment_lines.total_owed > 0
        and payment_lines.bank_currency is not null
    group by 1, 2, 3, 4, 5, source.name
),
unpaid as (
    select
        tie_payment.region, whole_region(tie_payment.region) as whole, tie_payment.currency,
        case
            when tie_payment.region_name is null then coalesce(tie_payment.earned_detail, tie_payment.earned_financial)
            else tie_payment.total_owed
        end as amount
    from tie_payment
    where tie_payment.region_name is not null and not coalesce(tie_payment.is_paid, false)
        -- A region whose parts are paid separately has no payment row.
        or tie_payment.region_name is null
        and not exists (
            select 1
            from tie_payment as part
            where part.currency = tie_payment.currency
                and part.region <> tie_payment.region
                and whole_region(part.region) = tie_payment.region
        )
)
select distinct on (unpaid.region, unpaid.currency)
    unpaid.region, unpaid.currency, paid.rate, paid.fiscal_period || ' ' || paid.region || ', ' || paid.source as rate_source,
    paid.bank_currency,
    at_printed_rate(unpaid.amount, paid.rate, paid.bank_currency) as proceeds
from unpaid
inner join paid on paid.currency = unpaid.currency
where paid.rate is not null
order by unpaid.region, unpaid.currency, (paid.region = unpaid.whole) desc, paid.period_no desc, paid.region;
