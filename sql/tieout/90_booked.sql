-- purpose: our own orders for the bridge, added up by what is alike for its lines; a table of its own, since several processes read what is
--          put into a new table, and only one what is put into an old one.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- planner: set local enable_nestloop = on; set local enable_mergejoin = on; set local random_page_cost = 0.3
-- grain:   tie_booked one row per currency, kind and place in month and period
create temp table tie_booked on commit drop as
select
    told.currency, told.kind, told.is_in_month, told.is_in_period, sum(told.units) as units, sum(told.milliunits) as milliunits
from bridge_orders() as told
group by told.currency, told.kind, told.is_in_month, told.is_in_period;
