-- purpose: the working tables of one tie-out; they vanish with its transaction.
-- parameters: period (text: the fiscal period), as_of (timestamptz), horizon (bigint: periods after which nothing settles any more)
-- grain:   tie_run one row: what is tied out, and the days that are looked at: those of the four periods before it and of the two after
--          it, too, since sales settle late and refunds are booked late
create temp table tie_run on commit drop as
select
    fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on,
    fiscal_periods.fiscal_year * 12 + fiscal_periods.number as place,
    :'as_of'::timestamptz as as_of,
    :'horizon'::bigint as horizon,
    around.day_from, around.day_to
from fiscal_periods
-- Whole periods: a report without days cannot be held against a part of one.
cross join lateral (
    select min(near.starts_on) as day_from, max(near.ends_on) as day_to
    from fiscal_periods as near
    where near.fiscal_year * 12 + near.number between fiscal_periods.fiscal_year * 12 + fiscal_periods.number - 4
        and fiscal_periods.fiscal_year * 12 + fiscal_periods.number + 2
) as around
where fiscal_periods.fiscal_period = :'period'::text;
