-- purpose: Returns the content of decisions in force at a clock, dated from their proposal: they took effect (effective_at),
--          were not undone and have not expired.
create or replace function payrecon.closings_at(clock timestamptz) returns table (
    case_id text, action text, scope text, order_id text, charge_id text, break_ids text[], at timestamptz,
    effective_at timestamptz, decided_by text, approved_by text, reason text
)
language sql stable parallel safe
as $$
    select
        proposal.case_id, proposal.action, proposal.scope, proposal.order_id, proposal.charge_id, proposal.break_ids, proposal.at,
        effective.at, proposal.decided_by, effective.approved_by, proposal.reason
    from payrecon.effective_decisions_at(clock) as effective
    inner join payrecon.case_decisions as proposal using (case_id, decision_id)
    where proposal.step = coalesce(effective.proposal_step, effective.step)
        and coalesce(proposal.holds_until > clock, true)
$$;
