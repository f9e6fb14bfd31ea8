-- purpose: Returns the cells of the report's tie-out for the audit bridge.
-- grain:   one row per cell
create or replace function payrecon.bridge_cells() returns table (
    cell_id text, currency text, proceeds_currency text, price numeric, sign integer, l1_units bigint, l1_amount numeric,
    l3_units bigint, l3_extended numeric, open_units bigint, unexplained_units bigint, detail text
)
language sql stable parallel safe
as $$
    select
        tieout_cells.cell_id, tieout_cells.customer_currency, tieout_cells.proceeds_currency, tieout_cells.customer_price,
        tieout_cells.sign, tieout_cells.l1_units,
        tieout_cells.l1_units * tieout_cells.customer_price + coalesce(beside.amount, 0), tieout_cells.l3_units,
        tieout_cells.l3_extended, tieout_cells.open_units, tieout_cells.unexplained_units,
        concat_ws(
            ' ', tieout_cells.sku, tieout_cells.storefront, tieout_cells.transaction_day, 'at',
            trim_scale(tieout_cells.customer_price)
        )
    from payrecon.tieout_cells
    -- Few charges cost more or less than the sum of their units.
    left join payrecon.tieout_parts as beside
        on beside.fiscal_period = tieout_cells.fiscal_period
        and beside.as_of = tieout_cells.as_of
        and beside.cell_id = tieout_cells.cell_id
        and beside.cause = 'unit price'
    where tieout_cells.fiscal_period = payrecon.viewed_period()
        and tieout_cells.as_of = (select payrecon.viewed_at())
$$;
