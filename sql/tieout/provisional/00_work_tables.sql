-- purpose: the working tables of one provisional tie-out of a day, before its fiscal period closes; dropped at the end of
--          its transaction.
-- parameters: period (text: D and the day), as_of (timestamptz), horizon (bigint)
-- grain:   tie_run one row
create temp table tie_run on commit drop as
select
    :'period'::text as fiscal_period, day.day as starts_on, day.day as ends_on, day.day - date '2000-01-01' as period_no,
    :'as_of'::timestamptz as as_of, :'horizon'::bigint as horizon, day.day - 2 as day_from, day.day + 2 as day_to
from (select substr(:'period'::text, 2)::date as day) as day;
