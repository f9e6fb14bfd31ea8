-- purpose: our charges that stand in the bridge by themselves, added up by what is alike for its lines; see 90_booked.sql.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- planner: set local enable_sort = off
-- grain:   tie_alone one row per currency and kind
create temp table tie_alone on commit drop as
select told.currency, told.kind, sum(told.units) as units, sum(told.milliunits::numeric / 1000) as amount
from bridge_charges() as told
group by told.currency, told.kind;
