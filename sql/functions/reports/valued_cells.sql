-- purpose: The cells of each tie-out with the money of our charges in them (l1_gross). Few charges cost more or less than the sum
--          of their units at the cell's price.
create or replace view payrecon.valued_cells with (security_invoker = true) as
select tieout_cells.*, tieout_cells.l1_units * tieout_cells.customer_price + coalesce(beside.amount, 0) as l1_gross
from payrecon.tieout_cells
left join payrecon.tieout_parts as beside
    on (beside.fiscal_period, beside.as_of, beside.cell_id, beside.cause)
    = (tieout_cells.fiscal_period, tieout_cells.as_of, tieout_cells.cell_id, 'unit price');
