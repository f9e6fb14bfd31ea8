-- purpose: what decisions dealt with by a clock, from when they were proposed on: those that took effect, were not taken back
--          and still hold.
create or replace function payrecon.closings_at(clock timestamptz) returns table (
    case_id text, action text, scope text, order_id text, charge_id text, break_ids text[], at timestamptz
)
language sql stable parallel safe
as $$
    select
        said.case_id, said.action, said.scope, said.order_id, said.charge_id, said.break_ids, said.at
    from payrecon.effective_decisions_at(clock) as effective
    inner join payrecon.case_decisions as said
        on said.case_id = effective.case_id
        and said.decision_id = effective.decision_id
        and said.step = coalesce(effective.proposal_step, effective.step)
    where coalesce(said.holds_until > clock, true)
$$;
