-- purpose: Returns the proposed decisions that await a second approval.
-- grain:   one row per pending proposal
create or replace view payrecon.pending_decisions with (security_invoker = true) as
select proposal.*
from payrecon.case_decisions as proposal
where proposal.step = 'proposed'
    and not exists (
        select 1
        from payrecon.case_decisions as later
        where later.case_id = proposal.case_id
            and later.decision_id = proposal.decision_id
            and later.step <> 'proposed'
    );

-- Returns the proposed undos of decisions, likewise.
create or replace view payrecon.pending_undos with (security_invoker = true) as
select proposal.*
from payrecon.case_undos as proposal
where proposal.step = 'proposed'
    and not exists (
        select 1
        from payrecon.case_undos as later
        where later.case_id = proposal.case_id
            and later.decision_id = proposal.decision_id
            and later.undo_id = proposal.undo_id
            and later.step <> 'proposed'
    );
