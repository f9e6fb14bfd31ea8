-- purpose: the differences between matched charges and their orders for the bridge, aggregated; see 90_booked.sql.
-- planner: set local enable_sort = off
-- grain:   tie_paired one row per currency
create temp table tie_paired on commit drop as
select matched.currency, sum(matched.units) as units, sum(matched.milliunits::numeric / 1000) as amount
from bridge_pairs() as matched
group by matched.currency;
