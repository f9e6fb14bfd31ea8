-- purpose: Returns fiscal periods with their source at a clock: FINANCE_DETAIL if every vendor has one, else FINANCIAL,
--          which has no days. A period is settled if its report and all reports up to the horizon were read, so no more
--          sales of it can settle. If FINANCIAL is read by region, sales of a missing region stay open
--          (sql/tieout/41_rest.sql).
-- grain:   one row per fiscal period; period_no numbers them in order
create or replace function payrecon.settlement_periods(clock timestamptz, horizon bigint) returns table (
    fiscal_period text, starts_on date, ends_on date, period_no integer, source text, is_settled boolean, last_period text
)
language sql stable parallel safe
as $$
    with file as materialized (select known.* from payrecon.finance_files_at(clock) as known where known.is_current),
    loaded as (
        select
            file.fiscal_period,
            bool_or(
                file.report = 'FINANCIAL'
                and not exists (
                    select 1
                    from file as detail
                    where detail.report = 'FINANCE_DETAIL'
                        and detail.fiscal_period = file.fiscal_period
                        and payrecon.could_be_same_vendor(detail.vendor, file.vendor)
                )
            ) as is_dayless
        from file
        where file.report in ('FINANCE_DETAIL', 'FINANCIAL')
        group by file.fiscal_period
    ),
    period as (
        select
            fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on,
            fiscal_periods.fiscal_year * 12 + fiscal_periods.number as period_no,
            case loaded.is_dayless when true then 'FINANCIAL' when false then 'FINANCE_DETAIL' end as source
        from payrecon.fiscal_periods
        left join loaded on loaded.fiscal_period = fiscal_periods.fiscal_period
    )
    -- Calendars are short, so each period is joined with those in which its sales may settle.
    select
        period.fiscal_period, period.starts_on, period.ends_on, period.period_no, period.source, count(later.source) = horizon + 1,
        max(later.fiscal_period)
    from period
    inner join period as later on later.period_no between period.period_no and period.period_no + horizon
    group by period.fiscal_period, period.starts_on, period.ends_on, period.period_no, period.source
$$;
