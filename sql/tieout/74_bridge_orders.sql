-- purpose: our orders for the bridge, aggregated by the columns that determine their line. Written to a new table, because
--          PostgreSQL reads the source of a new table in parallel, but not that of an existing one.
-- planner: set local enable_nestloop = on; set local enable_mergejoin = on; set local random_page_cost = 0.3
-- grain:   tie_bridge_order one row per currency, kind and place in month and period
create temp table tie_bridge_order on commit drop as
select
    paid.currency, paid.kind, paid.is_in_month, paid.is_in_period, sum(paid.units) as units, sum(paid.milliunits) as milliunits
from bridge_orders() as paid
group by paid.currency, paid.kind, paid.is_in_month, paid.is_in_period;
