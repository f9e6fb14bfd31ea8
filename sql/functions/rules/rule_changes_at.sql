-- purpose: Returns the change of each rule in force at a clock: the last one with a second approval.
-- grain:   at most one row per rule
create or replace function payrecon.rule_changes_at(clock timestamptz) returns setof payrecon.rule_changes
language sql stable parallel safe
as $$
    select distinct on (rule_changes.rule) rule_changes.*
    from payrecon.rule_changes
    where rule_changes.step = 'approved'
        and rule_changes.at <= clock
    order by rule_changes.rule, rule_changes.at desc, rule_changes.version desc
$$;
