-- purpose: what the charges of matched pairs add to their orders for the bridge, added up; see 90_booked.sql.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- planner: set local enable_sort = off
-- grain:   tie_paired one row per currency
create temp table tie_paired on commit drop as
select told.currency, sum(told.units) as units, sum(told.milliunits::numeric / 1000) as amount
from bridge_pairs() as told
group by told.currency;
