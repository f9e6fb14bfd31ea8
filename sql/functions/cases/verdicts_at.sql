-- purpose: Returns people's verdict on each case up to a clock: of its ban, else of its latest decision that was not undone. A
--          decision on a pair, or on named breaks alone, is no verdict on the case.
-- grain:   one row per case with such a decision
create or replace function payrecon.verdicts_at(clock timestamptz) returns table (case_id text, outcome text)
language sql stable parallel safe
as $$
    select distinct on (effective.case_id) effective.case_id, effective.outcome
    from payrecon.effective_decisions_at(clock) as effective
    where effective.action = 'ban'
        or effective.action not in ('forced_match', 'unmatch', 'benign_duplicate')
        and not exists (
            select 1
            from payrecon.case_decisions as named
            where named.case_id = effective.case_id
                and named.decision_id = effective.decision_id
                and named.scope = 'named'
                and named.order_id is null
                and named.charge_id is null
        )
    order by effective.case_id asc, (effective.action = 'ban') desc, effective.at desc, effective.decision_id asc
$$;
