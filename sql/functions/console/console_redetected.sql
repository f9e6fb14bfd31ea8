-- purpose: Returns cases to gather again after a detection without changes to them. Cases about a pair are among them, because
--          what detection still finds is open again. So are cases with an act since the previous detection or with a pending
--          proposal, so that no concurrent act is missed.
create or replace function payrecon.console_redetected(clock timestamptz) returns table (case_id text)
language sql stable parallel safe
as $$
    with since as materialized (
        select
            coalesce(console_gathered.detected_at, '-infinity') as at,
            -- After a listing of all cases each is gathered anyway.
            coalesce(console_gathered.detected_at, '-infinity') > '-infinity' as is_known
        from payrecon.console_gathered
    )
    select case_decisions.case_id
    from since
    inner join payrecon.case_decisions on case_decisions.at >= since.at
    where case_decisions.at <= clock
        and (
            since.is_known
            or (case_decisions.step = 'effective' and case_decisions.action in ('forced_match', 'unmatch', 'benign_duplicate'))
        )
    union
    select case_undos.case_id
    from since
    inner join payrecon.case_undos on case_undos.at >= since.at
    where since.is_known
        and case_undos.at <= clock
    union
    select kept.case_id
    from since
    cross join payrecon.console_cases as kept
    where since.is_known
        and kept.status = 'waiting_approval'
$$;
