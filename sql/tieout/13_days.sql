-- purpose: the fiscal period of every evaluated day; other days have no cells on either side.
-- grain:   tie_day one row per day
create temp table tie_day on commit drop as
select
    day.day::date as day, tie_period.fiscal_period, tie_period.period_no,
    -- The day of its cells. In a period whose report has no days, the first day represents all.
    case when tie_period.source = 'FINANCIAL' then tie_period.starts_on else day.day::date end as cell_day,
    case when tie_period.source = 'FINANCIAL' then tie_period.ends_on else day.day::date end as last_cell_day
from tie_run
cross join tie_period
cross join lateral generate_series(
    greatest(tie_period.starts_on, tie_run.day_from)::timestamp, least(tie_period.ends_on, tie_run.day_to)::timestamp,
    interval '1 day'
) as day (day);
