-- purpose: coverage of each tied-out period by currency, in units and in money at customer prices, with the period's days
--          and month.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period and currency
select
    latest.fiscal_period, latest.starts_on::text as starts_on, latest.ends_on::text as ends_on, latest.calendar_month,
    covered.currency, covered.cell_count, covered.units, covered.proved_units, covered.explained_units, covered.unexplained_units,
    covered.open_units as not_yet_settled_units, covered.proved_percent, covered.explained_percent, covered.unexplained_percent,
    covered.open_percent as not_yet_settled_percent, covered.amount, covered.proved_amount, covered.explained_amount,
    covered.unexplained_amount, covered.open_amount as not_yet_settled_amount, latest.source,
    rfc3339(latest.as_of) as tied_out_at, case when tieouts.is_provisional then 'yes' else 'no' end as is_provisional
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieouts using (fiscal_period, as_of)
cross join lateral coverage_of(latest.fiscal_period, latest.as_of) as covered
order by latest.fiscal_period collate "C", covered.currency collate "C";
