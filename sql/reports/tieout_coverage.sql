-- purpose: coverage of each tied-out period by currency, in units and in money at customer prices, with the period's days
--          and month.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period and currency
with counted as (
    select
        latest.fiscal_period, latest.as_of, latest.starts_on, latest.ends_on, latest.calendar_month, latest.source,
        tieouts.is_provisional, covered_cells.currency, count(*) as cell_count,
        sum(units)::bigint as units, sum(proved)::bigint as proved_units,
        sum(explained)::bigint as explained_units,
        sum(unexplained)::bigint as unexplained_units, sum(open)::bigint as open_units,
        sum(units * price) as amount, sum(proved * price) as proved_amount,
        sum(explained * price) as explained_amount,
        sum(unexplained * price) as unexplained_amount, sum(open * price) as open_amount
    from latest_tieouts(:'as_of'::timestamptz) as latest
    inner join tieouts
        on tieouts.fiscal_period = latest.fiscal_period
        and tieouts.as_of = latest.as_of
    inner join covered_cells
        on covered_cells.fiscal_period = latest.fiscal_period
        and covered_cells.as_of = latest.as_of
    group by 1, 2, 3, 4, 5, 6, 7, 8
)
select
    fiscal_period, starts_on::text as starts_on, ends_on::text as ends_on, calendar_month, currency, cell_count, units,
    proved_units, explained_units, unexplained_units, open_units as not_yet_settled_units,
    share.percent[1]::text as proved_percent,
    share.percent[2]::text as explained_percent,
    share.percent[3]::text as unexplained_percent,
    share.percent[4]::text as not_yet_settled_percent,
    trim_scale(amount)::text as amount, trim_scale(proved_amount)::text as proved_amount,
    trim_scale(explained_amount)::text as explained_amount, trim_scale(unexplained_amount)::text as unexplained_amount,
    trim_scale(open_amount)::text as not_yet_settled_amount,
    source, rfc3339(as_of) as tied_out_at, case when is_provisional then 'yes' else 'no' end as is_provisional
from counted
cross join lateral (
    select shares_of(array[proved_units, explained_units, unexplained_units, open_units])
) as share (percent)
order by fiscal_period collate "C", currency collate "C";
