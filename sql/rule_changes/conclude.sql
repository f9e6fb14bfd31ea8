-- purpose: approves, rejects or withdraws a proposed change; the database copies the proposal's content and author.
-- parameters: change_id, step, person, reason (text), as_of (timestamptz)
-- grain:   one row; none if nothing is proposed under that id
insert into rule_changes (
    change_id, step, rule, version, state, parameters, trial_id, person, account, proposal_step, reason, at
)
select
    proposal.change_id, :'step'::text, proposal.rule, proposal.version, proposal.state, proposal.parameters,
    proposal.trial_id, :'person'::text, '', proposal.step, :'reason'::text, :'as_of'::timestamptz
from rule_changes as proposal
where proposal.change_id = :'change_id'::text
    and proposal.step = 'proposed';
