-- purpose: coverage of a period by its newest tie-out at a clock: units by currency.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency
select
    covered.currency, covered.proved_units, covered.explained_units, covered.unexplained_units, covered.open_units,
    covered.proved_percent, covered.explained_percent, covered.unexplained_percent, covered.open_percent
from (
    select max(tieouts.as_of) as as_of
    from tieouts
    where tieouts.fiscal_period = :'period'::text
        and tieouts.as_of <= :'as_of'::timestamptz
) as newest
cross join lateral coverage_of(:'period'::text, newest.as_of) as covered
order by covered.currency collate "C";
