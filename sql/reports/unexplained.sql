-- purpose: the cells with the most unexplained money.
-- parameters: as_of (timestamptz), row_max (bigint)
-- grain:   one row per cell
select
    cell.fiscal_period, cell.cell_id, cell.sku, cell.storefront, cell.transaction_day::text as transaction_day,
    cell.customer_currency as currency, trim_scale(cell.customer_price)::text as customer_price, cell.l1_units, cell.l3_units,
    cell.unexplained_units, trim_scale(cell.unexplained_units * cell.customer_price)::text as unexplained_amount,
    nullif(array_to_string(cell.candidates, '; '), '') as candidates
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_cells as cell using (fiscal_period, as_of)
where cell.unexplained_units <> 0
    -- Missing units of a day are no finding before its period closes.
    and cell.status <> 'provisional'
order by abs(cell.unexplained_units * cell.customer_price) desc, cell.fiscal_period collate "C", cell.cell_id collate "C"
limit :'row_max'::bigint;
