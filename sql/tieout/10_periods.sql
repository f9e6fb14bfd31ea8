-- purpose: fiscal periods with what was read of each: FINANCE_DETAIL where every vendor has one, else FINANCIAL, which knows no days; and
--          whether what it leaves open is lost: nothing settles any more once its own report and each of those up to the horizon was
--          read.
-- parameters: as_of (timestamptz)
-- grain:   tie_period one row per fiscal period
create temp table tie_period on commit drop as
with file as materialized (
    select known.* from finance_files_at(:'as_of'::timestamptz) as known where known.is_current
),
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
                    and may_be_same(detail.vendor, file.vendor)
            )
        ) as is_dayless
    from file
    where file.report in ('FINANCE_DETAIL', 'FINANCIAL')
    group by file.fiscal_period
),
period as (
    select
        fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on,
        fiscal_periods.fiscal_year * 12 + fiscal_periods.number as place,
        case loaded.is_dayless when true then 'FINANCIAL' when false then 'FINANCE_DETAIL' end as source
    from fiscal_periods
    left join loaded on loaded.fiscal_period = fiscal_periods.fiscal_period
),
-- Calendars are short: each period beside those in which its sales may settle.
settled as (
    select period.place, count(later.source) as read_count, max(later.fiscal_period) as last_period
    from tie_run
    cross join period
    inner join period as later on later.place between period.place and period.place + tie_run.horizon
    group by period.place
)
select period.*, settled.read_count = tie_run.horizon + 1 as is_closed, settled.last_period
from tie_run
cross join period
inner join settled on settled.place = period.place;
