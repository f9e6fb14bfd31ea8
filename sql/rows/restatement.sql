-- purpose: the cells behind each figure of the restatement, with their contribution in money at customer prices.
-- parameters: period, slice, metric, figure (text: column of the restatement; empty for all); rows/set_viewed.sql sets the clock
-- grain:   one row per figure and cell; the values of a figure add up to it
select
    moved.fiscal_period as period, moved.currency as slice, moved.metric, moved.figure, moved.cell_id, named.sku, named.storefront,
    named.transaction_day::text as transaction_day, trim_scale(named.customer_price)::text as customer_price, named.sign,
    trim_scale(moved.value)::text as value
from restated_rows() as moved
-- From either tie-out, since the columns that identify a cell are equal in both.
left join lateral (
    select tieout_cells.*
    from tieout_cells
    where tieout_cells.fiscal_period = moved.fiscal_period
        and tieout_cells.cell_id = moved.cell_id
        and tieout_cells.as_of <= viewed_at()
    order by tieout_cells.as_of desc
    limit 1
) as named on true
where :'period'::text in ('', moved.fiscal_period)
    and :'slice'::text in ('', coalesce(nullif(moved.currency, ''), '-'))
    and :'metric'::text in ('', moved.metric)
    and :'figure'::text in ('', moved.figure)
    and moved.value <> 0
order by moved.fiscal_period, moved.currency, moved.metric, moved.figure, abs(moved.value) desc, moved.cell_id;
