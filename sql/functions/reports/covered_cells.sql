-- purpose: How far each cell of each tie-out is proved: its units by state. Matching units of a cell that is not proved
--          count as explained. A proved partial refund is in two cells, ours and Apple's, of unequal units.
create or replace view payrecon.covered_cells with (security_invoker = true) as
select
    counted.*,
    units - proved - unexplained - open as explained
from (
    select
        fiscal_period, as_of, cell_id, sku, storefront, transaction_day, customer_currency as currency, customer_price as price, sign,
        l1_units, l3_units, status, greatest(abs(l1_units), abs(l3_units)) as units,
        case
            when status = 'proved' or l1_units = l3_units
                then greatest(abs(l1_units), abs(l3_units))
            else 0
        end as proved,
        abs(unexplained_units) as unexplained,
        abs(open_units) as open
    from payrecon.tieout_cells
) as counted;
