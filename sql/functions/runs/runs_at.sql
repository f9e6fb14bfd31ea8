-- purpose: runs as they are known at a clock: those of that clock or an earlier one. A run whose clock is earlier than decisions which
--          were made before it began is known from after those, as is what it read, or where their clock is decided once more.
create or replace function payrecon.runs_at(clock timestamptz) returns setof payrecon.runs
language sql stable parallel safe
as $$
    with placed as materialized (
        select
            told.run_id, told.attempt, told.as_of, told.started_at,
            max(told.as_of) filter (where told.bound_batch_id is not null) over (
                order by told.started_at, told.run_id, told.attempt rows between unbounded preceding and 1 preceding
            ) as decided_at
        from payrecon.runs as told
    ),
    decided as materialized (
        select told.as_of, max(told.started_at) as started_at
        from payrecon.runs as told
        where told.bound_batch_id is not null
        group by told.as_of
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
