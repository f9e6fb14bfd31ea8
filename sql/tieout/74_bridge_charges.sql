-- purpose: our unmatched charges for the bridge, aggregated by the columns that determine their line; see
--          74_bridge_orders.sql.
-- planner: set local enable_sort = off
-- grain:   tie_bridge_charge one row per currency and kind
create temp table tie_bridge_charge on commit drop as
select unmatched.currency, unmatched.kind, sum(unmatched.units) as units, sum(unmatched.milliunits::numeric / 1000) as amount
from bridge_charges() as unmatched
group by unmatched.currency, unmatched.kind;
