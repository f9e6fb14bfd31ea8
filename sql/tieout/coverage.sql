-- purpose: coverage of a period by its newest tie-out at a clock: units and money at customer prices by currency.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency
select
    :'period'::text as fiscal_period, covered.currency, covered.units, covered.proved_units, covered.explained_units,
    covered.unexplained_units, covered.open_units, covered.proved_percent, covered.explained_percent, covered.unexplained_percent,
    covered.open_percent, covered.amount, covered.proved_amount, covered.explained_amount, covered.unexplained_amount,
    covered.open_amount
from (
    select max(tieouts.as_of) as as_of
    from tieouts
    where tieouts.fiscal_period = :'period'::text
        and tieouts.as_of <= :'as_of'::timestamptz
) as newest
cross join lateral coverage_of(:'period'::text, newest.as_of) as covered
order by covered.currency collate "C";
