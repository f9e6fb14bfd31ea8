-- purpose: Returns decisions and proposals that stand at a clock: decisions in effect that were not undone and have not
--          expired, and proposals that wait for a second person.
-- grain:   one row per decision
create or replace function payrecon.standing_decisions_at(clock timestamptz) returns table (
    case_id text, break_ids text[], action text, decided_by text, approved_by text, reason text, at timestamptz, is_proposed boolean
)
language sql stable parallel safe
as $$
    select
        decision.case_id, decision.break_ids, decision.action, decision.decided_by, concluded.approved_by, decision.reason,
        coalesce(concluded.at, decision.at), decision.step = 'proposed' and concluded.step is null
    from payrecon.case_decisions as decision
    left join payrecon.case_decisions as concluded
        on concluded.case_id = decision.case_id
        and concluded.decision_id = decision.decision_id
        and concluded.proposal_step = decision.step
        and concluded.at <= clock
    where decision.proposal_step is null
        and decision.at <= clock
        and coalesce(decision.holds_until > clock, true)
        and coalesce(concluded.step, decision.step) in ('proposed', 'effective')
        and not exists (
            select 1
            from payrecon.case_undos
            where case_undos.case_id = decision.case_id
                and case_undos.decision_id = decision.decision_id
                and case_undos.step = 'effective'
                and case_undos.at <= clock
        )
$$;
