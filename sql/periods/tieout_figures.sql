-- purpose: the money at stake in a period's newest tie-out at a clock, as the restatement compares it.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency and metric, in milliunits
with cell as (
    select tieout_cells.*, coalesce(beside.amount, 0) as beside
    from tieout_cells
    left join tieout_parts as beside
        on beside.fiscal_period = tieout_cells.fiscal_period
        and beside.as_of = tieout_cells.as_of
        and beside.cell_id = tieout_cells.cell_id
        and beside.cause = 'unit price'
    where tieout_cells.fiscal_period = :'period'::text
        and tieout_cells.as_of = (
            select max(tieouts.as_of)
            from tieouts
            where tieouts.fiscal_period = :'period'::text
                and tieouts.as_of <= :'as_of'::timestamptz
        )
)
select
    cell.customer_currency as currency, figure.metric, trim_scale(sum(figure.value) * 1000)::text as milliunits
from cell
cross join lateral (values
    ('our gross', cell.l1_units * cell.customer_price + cell.beside), ('Apple gross', cell.l3_units * cell.customer_price),
    ('unexplained', cell.unexplained_units * cell.customer_price), ('not yet settled', cell.open_units * cell.customer_price)
) as figure (metric, value)
group by cell.customer_currency, figure.metric
order by cell.customer_currency collate "C", figure.metric;
