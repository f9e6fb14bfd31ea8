-- purpose: approves, rejects or withdraws a proposed undo. The proposal is referenced by key.
-- parameters: case_id, step, person, reason (text), as_of (timestamptz)
-- grain:   one row; none if no undo is proposed
insert into case_undos (case_id, decision_id, undo_id, step, action, reason, asked_by, approved_by, proposal_step, at)
select
    proposal.case_id, proposal.decision_id, proposal.undo_id, :'step'::text, proposal.action, :'reason'::text, proposal.asked_by,
    :'person'::text, proposal.step, :'as_of'::timestamptz
from case_undos as proposal
where proposal.case_id = :'case_id'::text
    and proposal.step = 'proposed'
    and not exists (
        select 1
        from case_undos as later
        where later.case_id = proposal.case_id
            and later.decision_id = proposal.decision_id
            and later.undo_id = proposal.undo_id
            and later.step <> 'proposed'
    )
returning decision_id, undo_id;
