-- purpose: the approved rule changes in force at a clock.
-- parameters: as_of (timestamptz)
-- grain:   one row per rule that two people changed
select approved_change.rule, approved_change.state, approved_change.version, approved_change.parameters
from rule_changes_at(:'as_of'::timestamptz) as approved_change
order by approved_change.rule;
