-- purpose: coverage of the tie-out of a period at a clock: units by currency.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per currency
select
    covered.currency, covered.proved_units, covered.explained_units, covered.unexplained_units, covered.open_units,
    covered.proved_percent, covered.explained_percent, covered.unexplained_percent, covered.open_percent
from coverage_of(:'period'::text, :'as_of'::timestamptz) as covered
order by covered.currency collate "C";
