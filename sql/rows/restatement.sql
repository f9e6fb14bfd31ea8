-- purpose: the cells behind each figure of the restatement: what each adds to it, in money at customers' prices.
-- parameters: period, slice, metric, figure (text: column of the restatement; empty for all of them); rows/ask.sql says the clock
-- grain:   one row per figure and cell; the values of a figure add up to it
select
    told.fiscal_period as period, told.currency as slice, told.metric, told.figure, told.cell_id, named.sku, named.storefront,
    named.transaction_day::text as transaction_day, trim_scale(named.customer_price)::text as customer_price, named.sign,
    trim_scale(told.value)::text as value
from restated_rows() as told
-- Of either tie-out: what names a cell is the same in both.
left join lateral (
    select tieout_cells.*
    from tieout_cells
    where tieout_cells.fiscal_period = told.fiscal_period
        and tieout_cells.cell_id = told.cell_id
        and tieout_cells.as_of <= viewed_at()
    order by tieout_cells.as_of desc
    limit 1
) as named on true
where :'period'::text in ('', told.fiscal_period)
    and :'slice'::text in ('', coalesce(nullif(told.currency, ''), '-'))
    and :'metric'::text in ('', told.metric)
    and :'figure'::text in ('', told.figure)
    and told.value <> 0
order by told.fiscal_period, told.currency, told.metric, told.figure, abs(told.value) desc, told.cell_id;
