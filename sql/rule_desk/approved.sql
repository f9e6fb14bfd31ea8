-- purpose: how the rules that the desk has are set at a clock.
-- parameters: as_of (timestamptz)
-- grain:   one row per rule that two people changed
select holding.rule, holding.state, holding.version, holding.parameters
from rule_changes_at(:'as_of'::timestamptz) as holding
order by holding.rule;
