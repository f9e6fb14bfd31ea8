-- purpose: how far a period is proved by its newest tie-out at a clock: units and money by currency; money at customers' prices. What
--          matches in a cell that is not proved counts as explained.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency
with cell as (
    select
        tieout_cells.customer_currency as currency, tieout_cells.customer_price as price,
        greatest(abs(l1_units), abs(l3_units)) as units,
        case when l1_units = l3_units then abs(l1_units) else 0 end as proved,
        abs(unexplained_units) as unexplained,
        abs(open_units) as open
    from tieout_cells
    where tieout_cells.fiscal_period = :'period'::text
        and tieout_cells.as_of = (
            select max(tieouts.as_of)
            from tieouts
            where tieouts.fiscal_period = :'period'::text
                and tieouts.as_of <= :'as_of'::timestamptz
        )
),
counted as (
    select
        currency,
        sum(units)::bigint as units, sum(proved)::bigint as proved_units,
        sum(greatest(units - proved - unexplained - open, 0))::bigint as explained_units,
        sum(unexplained)::bigint as unexplained_units, sum(open)::bigint as open_units,
        sum(units * price) as amount, sum(proved * price) as proved_amount,
        sum(greatest(units - proved - unexplained - open, 0) * price) as explained_amount,
        sum(unexplained * price) as unexplained_amount, sum(open * price) as open_amount
    from cell
    group by currency
)
select
    :'period'::text as fiscal_period, currency, units, proved_units, explained_units, unexplained_units, open_units,
    round(100.0 * proved_units / nullif(units, 0), 2)::text as proved_percent,
    round(100.0 * explained_units / nullif(units, 0), 2)::text as explained_percent,
    round(100.0 * unexplained_units / nullif(units, 0), 2)::text as unexplained_percent,
    round(100.0 * open_units / nullif(units, 0), 2)::text as open_percent,
    trim_scale(amount)::text as amount, trim_scale(proved_amount)::text as proved_amount,
    trim_scale(explained_amount)::text as explained_amount, trim_scale(unexplained_amount)::text as unexplained_amount,
    trim_scale(open_amount)::text as open_amount
from counted
order by currency;
