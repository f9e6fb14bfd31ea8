-- purpose: coverage of a period by its newest tie-out at a clock: units and money at customer prices by currency.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency
with counted as (
    select
        currency,
        sum(units)::bigint as units, sum(proved)::bigint as proved_units,
        sum(explained)::bigint as explained_units,
        sum(unexplained)::bigint as unexplained_units, sum(open)::bigint as open_units,
        sum(units * price) as amount, sum(proved * price) as proved_amount,
        sum(explained * price) as explained_amount,
        sum(unexplained * price) as unexplained_amount, sum(open * price) as open_amount
    from covered_cells
    where covered_cells.fiscal_period = :'period'::text
        and covered_cells.as_of = (
            select max(tieouts.as_of)
            from tieouts
            where tieouts.fiscal_period = :'period'::text
                and tieouts.as_of <= :'as_of'::timestamptz
        )
    group by currency
)
select
    :'period'::text as fiscal_period, currency, units, proved_units, explained_units, unexplained_units, open_units,
    share.percent[1]::text as proved_percent,
    share.percent[2]::text as explained_percent,
    share.percent[3]::text as unexplained_percent,
    share.percent[4]::text as open_percent,
    trim_scale(amount)::text as amount, trim_scale(proved_amount)::text as proved_amount,
    trim_scale(explained_amount)::text as explained_amount, trim_scale(unexplained_amount)::text as unexplained_amount,
    trim_scale(open_amount)::text as open_amount
from counted
cross join lateral (
    select shares_of(array[proved_units, explained_units, unexplained_units, open_units])
) as share (percent)
order by currency;
