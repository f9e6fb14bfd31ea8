-- purpose: fiscal periods with what was read of each, and whether what it leaves open is lost; see
--          functions/finance/settlement_periods.sql.
-- parameters: as_of (timestamptz)
-- grain:   tie_period one row per fiscal period
create temp table tie_period on commit drop as
select period.*
from tie_run
cross join lateral settlement_periods(:'as_of'::timestamptz, tie_run.horizon) as period;
