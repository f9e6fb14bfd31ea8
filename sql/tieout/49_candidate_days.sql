-- purpose: possible UTC days of the charges and orders of the cells that get candidates; both are found by equality in one pass.
-- grain:   tie_candidate_day one row per cell that needs charges, app and day, and one per cell that needs orders and day
create temp table tie_candidate_day on commit drop as
select
    cell.cell_no, 'charge' as side, own.bundle_id, cell.sku, cell.storefront, cell.currency, cell.day + beside.days as day
from tie_candidate_cell as cell
cross join lateral unnest(cell.bundle_ids) as own (bundle_id)
cross join lateral generate_series(-1, 1 + cell.last_day - cell.day) as beside (days)
where cell.sign = 1
    and (cell.needs_charges or cell.unexplained_units < 0 or cell.open_units <> 0)
union all
select cell.cell_no, 'order', null, cell.sku, cell.storefront, cell.currency, cell.day + beside.days
from tie_candidate_cell as cell
cross join lateral generate_series(-2, 2 + cell.last_day - cell.day) as beside (days)
where cell.sign = 1
    and (cell.needs_orders or cell.unexplained_units > 0);
