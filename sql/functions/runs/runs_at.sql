-- purpose: Returns runs as known at a clock: those of that clock or an earlier one. A run whose clock is before decisions
--          made before its start is known only after those, as is its input, unless their clock is decided again.
create or replace function payrecon.runs_at(clock timestamptz) returns setof payrecon.runs
language sql stable parallel safe
as $$
    with decided as materialized (
        select run.as_of, max(run.started_at) as started_at
        from payrecon.runs as run
        where run.bound_batch_id is not null
        group by run.as_of
    )
    select runs.*
    from payrecon.started_runs as started
    inner join payrecon.runs using (run_id, attempt)
    left join decided on decided.as_of = started.decided_at
    where started.as_of <= clock
        and (
            started.decided_at is null
            or started.decided_at <= started.as_of
            or started.decided_at < clock
            or (started.decided_at = clock and decided.started_at > started.started_at)
        )
$$;
