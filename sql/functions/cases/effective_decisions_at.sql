-- purpose: Returns decisions that took effect up to a clock and were not undone up to it.
-- grain:   one row per decision: the row of the step that made it effective
create or replace function payrecon.effective_decisions_at(clock timestamptz) returns setof payrecon.case_decisions
language sql stable parallel safe
as $$
    select case_decisions.*
    from payrecon.case_decisions
    where case_decisions.step = 'effective'
        and case_decisions.at <= clock
        and not exists (
            select 1
            from payrecon.case_undos
            where case_undos.case_id = case_decisions.case_id
                and case_undos.decision_id = case_decisions.decision_id
                and case_undos.step = 'effective'
                and case_undos.at <= clock
        )
$$;
