-- purpose: a second person makes a proposal effective, or rejects it, or who proposed withdraws it; the proposal is quoted by
--          key, so that who proposed cannot be said otherwise.
-- parameters: case_id, step, person, reason, apple (text): what Apple said of it, null where nobody is punished; as_of
--             (timestamptz)
-- grain:   one row, or none when nothing was proposed
insert into case_decisions (
    case_id, decision_id, step, action, outcome, subject_kind, subject_id, order_id, charge_id, currency, reason,
    decided_by, approved_by, proposal_step, amount_milliunits, at, apple
)
select
    proposal.case_id, proposal.decision_id, :'step'::text, proposal.action, proposal.outcome, proposal.subject_kind,
    proposal.subject_id, proposal.order_id, proposal.charge_id, proposal.currency, :'reason'::text, proposal.decided_by,
    :'person'::text, proposal.step, proposal.amount_milliunits, :'as_of'::timestamptz,
    :'apple'::text
from case_decisions as proposal
where proposal.case_id = :'case_id'::text
    and proposal.step = 'proposed'
    and not exists (
        select 1
        from case_decisions as later
        where later.case_id = proposal.case_id
            and later.decision_id = proposal.decision_id
            and later.step <> 'proposed'
    )
returning decision_id;
