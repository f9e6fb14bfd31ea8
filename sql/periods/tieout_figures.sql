-- purpose: the money at stake in a period's newest tie-out at a clock, as the restatement compares it.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency and metric, in milliunits
select
    cell.customer_currency as currency, figure.metric, trim_scale(sum(figure.value) * 1000)::text as milliunits
from valued_cells as cell
cross join lateral (values
    ('our gross', cell.l1_gross), ('Apple gross', cell.l3_units * cell.customer_price),
    ('unexplained', cell.unexplained_units * cell.customer_price), ('not yet settled', cell.open_units * cell.customer_price)
) as figure (metric, value)
where cell.fiscal_period = :'period'::text
    and cell.as_of = (
        select max(tieouts.as_of)
        from tieouts
        where tieouts.fiscal_period = :'period'::text
            and tieouts.as_of <= :'as_of'::timestamptz
    )
group by cell.customer_currency, figure.metric
order by cell.customer_currency collate "C", figure.metric;
