-- purpose: Apple's fiscal periods with their first and last days, counted from 1970-01-01.
-- grain:   one row per fiscal period, in order
select
    fiscal_periods.fiscal_period,
    fiscal_periods.starts_on - date '1970-01-01' as start_day,
    fiscal_periods.ends_on - date '1970-01-01' as end_day
from fiscal_periods
order by fiscal_periods.starts_on;
