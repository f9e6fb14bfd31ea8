-- purpose: Returns the cells of the report's tie-out for the audit bridge.
-- grain:   one row per cell
create or replace function payrecon.bridge_cells() returns table (
    cell_id text, currency text, proceeds_currency text, price numeric, sign integer, l1_units bigint, l1_amount numeric,
    l3_units bigint, l3_extended numeric, open_units bigint, unexplained_units bigint, detail text
)
language sql stable parallel safe
as $$
    select
        cell.cell_id, cell.customer_currency, cell.proceeds_currency, cell.customer_price, cell.sign, cell.l1_units, cell.l1_gross,
        cell.l3_units, cell.l3_extended, cell.open_units, cell.unexplained_units,
        concat_ws(' ', cell.sku, cell.storefront, cell.transaction_day, 'at', trim_scale(cell.customer_price))
    from payrecon.valued_cells as cell
    where cell.fiscal_period = payrecon.viewed_period()
        and cell.as_of = (select payrecon.viewed_at())
$$;
