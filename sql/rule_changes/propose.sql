-- purpose: proposes a change of a rule; the version follows the named one and all approved ones.
-- parameters: change_id, rule, state, parameters, trial_id, person, reason (text), version (bigint), as_of (timestamptz)
-- grain:   one row: the version
insert into rule_changes (change_id, step, rule, version, state, parameters, trial_id, person, account, reason, at)
select
    :'change_id'::text, 'proposed', :'rule'::text,
    greatest(:'version'::bigint, coalesce(max(approved.version), 0))::integer + 1,
    :'state'::text, :'parameters'::text, :'trial_id'::text, :'person'::text, '', :'reason'::text,
    :'as_of'::timestamptz
from rule_changes as approved
where approved.rule = :'rule'::text
    and approved.step = 'approved'
returning version;
