-- purpose: approves, rejects or withdraws a proposed undo. The proposal is referenced by key.
-- parameters: case_id, step, person, reason (text), as_of (timestamptz)
-- grain:   one row; none if no undo is proposed
insert into case_undos (case_id, decision_id, undo_id, step, action, reason, asked_by, approved_by, proposal_step, at)
select
    proposal.case_id, proposal.decision_id, proposal.undo_id, :'step'::text, proposal.action, :'reason'::text, proposal.asked_by,
    :'person'::text, proposal.step, :'as_of'::timestamptz
from pending_undos as proposal
where proposal.case_id = :'case_id'::text
returning decision_id, undo_id;
