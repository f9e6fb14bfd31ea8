-- purpose: the differences between matched charges and their orders for the bridge, aggregated; see 74_bridge_orders.sql.
-- planner: set local enable_sort = off
-- grain:   tie_bridge_pair one row per currency
create temp table tie_bridge_pair on commit drop as
select matched.currency, sum(matched.units) as units, sum(matched.milliunits::numeric / 1000) as amount
from bridge_pairs() as matched
group by matched.currency;
