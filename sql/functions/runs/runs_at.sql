-- purpose: Returns runs as known at a clock: those of that clock or an earlier one. A run whose clock is before decisions
--          made before its start is known only after those, as is its input, unless their clock is decided again.
create or replace function payrecon.runs_at(clock timestamptz) returns setof payrecon.runs
language sql stable parallel safe
as $$
    with placed as materialized (
        select
            run.run_id, run.attempt, run.as_of, run.started_at,
            max(run.as_of) filter (where run.bound_batch_id is not null) over (
                order by run.started_at, run.run_id, run.attempt rows between unbounded preceding and 1 preceding
            ) as decided_at
        from payrecon.runs as run
    ),
    decided as materialized (
        select run.as_of, max(run.started_at) as started_at
        from payrecon.runs as run
        where run.bound_batch_id is not null
        group by run.as_of
    )
    select runs.*
    from placed
    inner join payrecon.runs
        on runs.run_id = placed.run_id
        and runs.attempt = placed.attempt
    left join decided on decided.as_of = placed.decided_at
    where placed.as_of <= clock
        and (
            placed.decided_at is null
            or placed.decided_at <= placed.as_of
            or placed.decided_at < clock
            or (placed.decided_at = clock and decided.started_at > placed.started_at)
        )
$$;
