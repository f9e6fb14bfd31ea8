-- purpose: the tied-out fiscal periods, each with the clock of its newest tie-out.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period
select latest.fiscal_period, latest.as_of
from latest_tieouts(:'as_of'::timestamptz) as latest
order by latest.fiscal_period collate "C";
