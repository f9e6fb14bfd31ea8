-- purpose: steps of rule changes (proposed, approved, rejected, withdrawn) with their persons, newest first.
-- parameters: rule (text): empty for all, as_of (timestamptz)
-- grain:   one row per step
select
    change.rule, change.step, change.version, change.state, change.parameters, change.trial_id, change.person,
    change.account, change.reason, rfc3339(change.at) as at, change.change_id
from rule_changes as change
where :'rule'::text in ('', change.rule)
    and change.at <= :'as_of'::timestamptz
order by change.at desc, change.change_id, change.step = 'proposed', change.step
limit 1000;
