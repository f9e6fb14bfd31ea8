-- purpose: a cell of the tie-out that reports show, with the result of each step. A cell that the signed tie-out of a closed
--          period lacks is that of the newest one.
-- parameters: cell (text), as_of (timestamptz)
-- grain:   one row per cause; one row if there is none
with tieout as (
    select latest.fiscal_period, latest.as_of, side.is_shown
    from (values (true), (false)) as side (is_shown)
    cross join lateral latest_tieouts(:'as_of'::timestamptz, as_signed => side.is_shown) as latest
),
cell as (
    select tieout_cells.*, tieout.is_shown
    from tieout
    inner join tieout_cells using (fiscal_period, as_of)
    where tieout_cells.cell_id = :'cell'::text
    order by tieout.is_shown desc
    limit 1
)
select
    cell.fiscal_period, cell.sku, cell.storefront, cell.transaction_day::text as day, cell.customer_currency as currency,
    trim_scale(cell.customer_price)::text as price, cell.sign, cell.l1_units as ours, cell.l3_units as apple, cell.status,
    cell.unexplained_units, cell.open_units, part.cause, part.units, part.detail, nullif(part.counter_cell_id, '') as other_cell,
    array_to_string(cell.candidates, '; ') as candidates, rfc3339(cell.as_of) as tied_out_at,
    case when cell.is_shown then 'no' else 'yes' end as is_after_signed
from cell
left join tieout_parts as part
    on part.fiscal_period = cell.fiscal_period
    and part.as_of = cell.as_of
    and part.cell_id = cell.cell_id
    and part.units <> 0
order by part.cause, part.counter_cell_id;
