-- purpose: the approved rule changes in force at a clock: the last one of each rule with a second approval.
-- parameters: as_of (timestamptz)
-- grain:   one row per rule that two people changed
select distinct on (rule_changes.rule)
    rule_changes.rule, rule_changes.state, rule_changes.version, rule_changes.parameters
from rule_changes
where rule_changes.step = 'approved'
    and rule_changes.at <= :'as_of'::timestamptz
order by rule_changes.rule, rule_changes.at desc, rule_changes.version desc;
