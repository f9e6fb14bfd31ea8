-- purpose: the latest instant in any run, batch, detection, list or decision of this database, and the clock of its earliest
--          run.
-- grain:   one row; nulls in an empty database
select greatest(
    (select max(known_at) from batches),
    (select max(as_of) from detections),
    (select max(as_of) from runs),
    -- A run that started behind decisions of a later clock is known right after them (functions/runs/runs_at.sql).
    (
        select max(placed.decided_at) + interval '1 microsecond'
        from (
            select
                runs.as_of,
                max(runs.as_of) filter (where runs.bound_batch_id is not null) over (
                    order by runs.started_at, runs.run_id, runs.attempt rows between unbounded preceding and 1 preceding
                ) as decided_at
            from runs
        ) as placed
        where placed.decided_at > placed.as_of
    ),
    (select max(at) from case_decisions),
    (select max(at) from case_undos),
    (select max(added_at) from list_entries),
    (select max(removed_at) from list_removals),
    (select max(decided_at) from parked_outcomes)
) as latest_at,
(select min(runs.as_of) from runs) as first_run_at;
