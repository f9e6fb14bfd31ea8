-- purpose: a cell as of its newest tie-out, with the result of each step.
-- parameters: cell (text), as_of (timestamptz)
-- grain:   one row per cause; one row if there is none
select
    cell.fiscal_period, cell.sku, cell.storefront, cell.transaction_day::text as day, cell.customer_currency as currency,
    trim_scale(cell.customer_price)::text as price, cell.sign, cell.l1_units as ours, cell.l3_units as apple, cell.status,
    cell.unexplained_units, cell.open_units, part.cause, part.units, part.detail, nullif(part.counter_cell_id, '') as other_cell,
    array_to_string(cell.candidates, '; ') as candidates, rfc3339(latest.as_of) as tied_out_at
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_cells as cell using (fiscal_period, as_of)
left join tieout_parts as part
    on part.fiscal_period = cell.fiscal_period
    and part.as_of = cell.as_of
    and part.cell_id = cell.cell_id
    and part.units <> 0
where cell.cell_id = :'cell'::text
order by part.cause, part.counter_cell_id;
