-- purpose: fiscal periods with the source read for each, and whether its open units are lost.
-- parameters: as_of (timestamptz)
-- grain:   tie_period one row per fiscal period
create temp table tie_period on commit drop as
select period.*
from tie_run
cross join lateral settlement_periods(:'as_of'::timestamptz, tie_run.horizon) as period;
