-- purpose: the cells behind each figure of the coverage, with their contribution in units or in money at customer prices.
-- parameters: fiscal_period, currency, figure (text: column of the coverage; empty for all), as_of (timestamptz)
-- grain:   one row per cell and figure; the values of a figure add up to it
select
    cell.fiscal_period, cell.currency, part.figure, cell.cell_id, cell.sku, cell.storefront,
    cell.transaction_day::text as transaction_day, trim_scale(cell.price)::text as customer_price, cell.sign, cell.l1_units,
    cell.l3_units, cell.status, trim_scale(part.value)::text as value
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join covered_cells as cell using (fiscal_period, as_of)
cross join lateral (values
    ('cell_count', 1::numeric),
    ('units', cell.units),
    ('proved_units', cell.proved),
    ('explained_units', cell.explained),
    ('unexplained_units', cell.unexplained),
    ('not_yet_settled_units', cell.open),
    ('amount', cell.units * cell.price),
    ('proved_amount', cell.proved * cell.price),
    ('explained_amount', cell.explained * cell.price),
    ('unexplained_amount', cell.unexplained * cell.price),
    ('not_yet_settled_amount', cell.open * cell.price)
) as part (figure, value)
where :'fiscal_period'::text in ('', cell.fiscal_period)
    and :'currency'::text in ('', cell.currency)
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by cell.fiscal_period, cell.currency, part.figure, abs(part.value) desc, cell.cell_id;
