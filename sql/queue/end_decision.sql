-- purpose: approves, rejects or withdraws a proposed decision. The proposal is referenced by key, so that its author cannot
--          be misstated.
-- parameters: case_id, step, person, reason, apple (text): Apple's answer, null if nobody is punished; as_of (timestamptz)
-- grain:   one row; none if nothing is proposed
insert into case_decisions (
    case_id, decision_id, step, action, outcome, subject_kind, subject_id, order_id, charge_id, currency, reason,
    decided_by, approved_by, proposal_step, amount_milliunits, at, apple
)
select
    proposal.case_id, proposal.decision_id, :'step'::text, proposal.action, proposal.outcome, proposal.subject_kind,
    proposal.subject_id, proposal.order_id, proposal.charge_id, proposal.currency, :'reason'::text, proposal.decided_by,
    :'person'::text, proposal.step, proposal.amount_milliunits, :'as_of'::timestamptz,
    :'apple'::text
from pending_decisions as proposal
where proposal.case_id = :'case_id'::text
returning decision_id;
