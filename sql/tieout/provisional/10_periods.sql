-- purpose: the day and its neighbours, each treated as a period, with its source: SALES, else SUBSCRIBER. A day's missing
--          units may be in another day's report, so nothing is lost before the fiscal period closes.
-- parameters: as_of (timestamptz)
-- grain:   tie_period one row per day
create temp table tie_period on commit drop as
select
    'D' || day.day as fiscal_period, day.day as starts_on, day.day as ends_on, day.day - date '2000-01-01' as period_no,
    (
        select min(file.report)
        from finance_files_at(:'as_of'::timestamptz) as file
        where file.is_current
            and file.report in ('SALES', 'SUBSCRIBER')
            and file.period_from = day.day
            and file.period_to = day.day
    ) as source,
    false as is_settled, null::text as last_period
from tie_run
cross join lateral (
    select generate_series(tie_run.starts_on - 2, tie_run.starts_on + 2, interval '1 day')::date as day
) as day;
