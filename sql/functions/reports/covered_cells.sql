-- purpose: How far each cell of each tie-out is proved: its units by state. Matching units of a cell that is not proved
--          count as explained. A proved partial refund is in two cells, ours and Apple's, of unequal units.
create or replace view payrecon.covered_cells with (security_invoker = true) as
select
    counted.*,
    counted.units - counted.proved - counted.unexplained - counted.open as explained
from (
    select
        tieout_cells.fiscal_period, tieout_cells.as_of, tieout_cells.cell_id, tieout_cells.sku, tieout_cells.storefront,
        tieout_cells.transaction_day, tieout_cells.customer_currency as currency, tieout_cells.customer_price as price,
        tieout_cells.sign, tieout_cells.l1_units, tieout_cells.l3_units, tieout_cells.status,
        greatest(abs(tieout_cells.l1_units), abs(tieout_cells.l3_units)) as units,
        case
            when tieout_cells.status = 'proved' or tieout_cells.l1_units = tieout_cells.l3_units
                then greatest(abs(tieout_cells.l1_units), abs(tieout_cells.l3_units))
            else 0
        end as proved,
        abs(tieout_cells.unexplained_units) as unexplained,
        abs(tieout_cells.open_units) as open
    from payrecon.tieout_cells
) as counted;
