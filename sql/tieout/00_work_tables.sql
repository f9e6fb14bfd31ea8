-- purpose: the working tables of one tie-out; they vanish with its transaction.
-- parameters: period (text: the fiscal period), as_of (timestamptz), horizon (bigint: periods after which nothing settles any more)
-- grain:   tie_run one row: what is tied out, and the days that are looked at beside the period's own, since sales settle late
create temp table tie_run on commit drop as
select
    fiscal_periods.fiscal_period, fiscal_periods.starts_on, fiscal_periods.ends_on,
    fiscal_periods.fiscal_year * 12 + fiscal_periods.number as place,
    :'as_of'::timestamptz as as_of,
    :'horizon'::bigint as horizon,
    fiscal_periods.starts_on - 120 as day_from,
    fiscal_periods.ends_on + 40 as day_to
from fiscal_periods
where fiscal_periods.fiscal_period = :'period'::text;
