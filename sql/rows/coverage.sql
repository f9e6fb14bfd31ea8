-- purpose: the cells behind each figure of the coverage: what each adds to it, in units or in money at customers' prices.
-- parameters: period, currency, figure (text: column of the coverage; empty for all of them), as_of (timestamptz)
-- grain:   one row per cell and figure that it adds to; the values of a figure add up to it
with cell as (
    select
        tieout_cells.*,
        greatest(abs(tieout_cells.l1_units), abs(tieout_cells.l3_units)) as units,
        case when tieout_cells.l1_units = tieout_cells.l3_units then abs(tieout_cells.l1_units) else 0 end as proved
    from latest_tieouts(:'as_of'::timestamptz) as latest
    inner join tieout_cells
        on tieout_cells.fiscal_period = latest.fiscal_period
        and tieout_cells.as_of = latest.as_of
    where :'period'::text in ('', tieout_cells.fiscal_period)
        and :'currency'::text in ('', tieout_cells.customer_currency)
)
select
    cell.fiscal_period, cell.customer_currency as currency, part.figure, cell.cell_id, cell.sku, cell.storefront,
    cell.transaction_day::text as transaction_day, trim_scale(cell.customer_price)::text as customer_price, cell.sign, cell.l1_units,
    cell.l3_units, cell.status, trim_scale(part.value)::text as value
from cell
cross join lateral (values
    ('cell_count', 1::numeric),
    ('units', cell.units),
    ('proved_units', cell.proved),
    ('explained_units', cell.units - cell.proved - abs(cell.unexplained_units) - abs(cell.open_units)),
    ('unexplained_units', abs(cell.unexplained_units)),
    ('not_yet_settled_units', abs(cell.open_units)),
    ('amount', cell.units * cell.customer_price),
    ('proved_amount', cell.proved * cell.customer_price),
    (
        'explained_amount',
        (cell.units - cell.proved - abs(cell.unexplained_units) - abs(cell.open_units)) * cell.customer_price
    ),
    ('unexplained_amount', abs(cell.unexplained_units) * cell.customer_price),
    ('not_yet_settled_amount', abs(cell.open_units) * cell.customer_price)
) as part (figure, value)
where part.value <> 0
    and :'figure'::text in ('', part.figure)
order by cell.fiscal_period, cell.customer_currency, part.figure, abs(part.value) desc, cell.cell_id;
