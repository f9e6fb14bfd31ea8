-- purpose: our unmatched charges for the bridge, aggregated by the columns that determine their line; see 90_booked.sql.
-- planner: set local enable_sort = off
-- grain:   tie_alone one row per currency and kind
create temp table tie_alone on commit drop as
select unmatched.currency, unmatched.kind, sum(unmatched.units) as units, sum(unmatched.milliunits::numeric / 1000) as amount
from bridge_charges() as unmatched
group by unmatched.currency, unmatched.kind;
