-- purpose: the working tables of one tie-out, dropped at the end of its transaction.
-- parameters: period (text: the fiscal period), as_of (timestamptz), horizon (bigint: periods after which no sale settles)
-- grain:   tie_run one row: the period, and the range of days evaluated, from four periods before it to two after it, since
--          sales settle late and refunds are booked late
create temp table tie_run on commit drop as
select
    fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on,
    fiscal_periods.fiscal_year * 12 + fiscal_periods.number as period_no,
    :'as_of'::timestamptz as as_of,
    :'horizon'::bigint as horizon,
    around.day_from, around.day_to
from fiscal_periods
-- Whole periods, because a report without days cannot be compared with part of a period.
cross join lateral (
    select min(near.starts_on) as day_from, max(near.ends_on) as day_to
    from fiscal_periods as near
    where near.fiscal_year * 12 + near.number between fiscal_periods.fiscal_year * 12 + fiscal_periods.number - 4
        and fiscal_periods.fiscal_year * 12 + fiscal_periods.number + 2
) as around
where fiscal_periods.fiscal_period = :'period'::text;
