-- purpose: coverage: how far each period that was tied out is proved, by currency, in units and in money at customers' prices; what
--          matches in a cell that is not proved counts as explained. The fiscal period stands beside its days and its month.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period and currency
with cell as (
    select
        latest.*, tieout_cells.customer_currency as currency, tieout_cells.customer_price as price,
        greatest(abs(tieout_cells.l1_units), abs(tieout_cells.l3_units)) as units,
        case when tieout_cells.l1_units = tieout_cells.l3_units then abs(tieout_cells.l1_units) else 0 end as proved,
        abs(tieout_cells.unexplained_units) as unexplained,
        abs(tieout_cells.open_units) as open
    from latest_tieouts(:'as_of'::timestamptz) as latest
    inner join tieout_cells
        on tieout_cells.fiscal_period = latest.fiscal_period
        and tieout_cells.as_of = latest.as_of
),
counted as (
    select
        fiscal_period, as_of, starts_on, ends_on, calendar_month, source, currency, count(*) as cell_count,
        sum(units)::bigint as units, sum(proved)::bigint as proved_units,
        sum(units - proved - unexplained - open)::bigint as explained_units,
        sum(unexplained)::bigint as unexplained_units, sum(open)::bigint as open_units,
        sum(units * price) as amount, sum(proved * price) as proved_amount,
        sum((units - proved - unexplained - open) * price) as explained_amount,
        sum(unexplained * price) as unexplained_amount, sum(open * price) as open_amount
    from cell
    group by 1, 2, 3, 4, 5, 6, 7
)
select
    fiscal_period, starts_on::text as starts_on, ends_on::text as ends_on, calendar_month, currency, cell_count, units,
    proved_units, explained_units, unexplained_units, open_units as not_yet_settled_units,
    round(100.0 * proved_units / nullif(units, 0), 2)::text as proved_percent,
    round(100.0 * explained_units / nullif(units, 0), 2)::text as explained_percent,
    round(100.0 * unexplained_units / nullif(units, 0), 2)::text as unexplained_percent,
    round(100.0 * open_units / nullif(units, 0), 2)::text as not_yet_settled_percent,
    trim_scale(amount)::text as amount, trim_scale(proved_amount)::text as proved_amount,
    trim_scale(explained_amount)::text as explained_amount, trim_scale(unexplained_amount)::text as unexplained_amount,
    trim_scale(open_amount)::text as not_yet_settled_amount,
    source, rfc3339(as_of) as tied_out_at
from counted
order by fiscal_period collate "C", currency collate "C";
