-- purpose: the change of each rule that holds at a clock: the last one that a second person approved by then.
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
