-- purpose: Returns the latest instant in any run, batch, detection, list or decision of this database; null if it is empty.
create or replace function payrecon.latest_known_at() returns timestamptz
language sql stable parallel safe
as $$
    select greatest(
        (select max(known_at) from payrecon.batches),
        (select max(as_of) from payrecon.detections),
        (select max(as_of) from payrecon.runs),
        -- A run that started behind decisions of a later clock is known right after them (runs_at.sql).
        (
            select max(started_runs.decided_at) + interval '1 microsecond'
            from payrecon.started_runs
            where started_runs.decided_at > started_runs.as_of
        ),
        (select max(at) from payrecon.case_decisions),
        (select max(at) from payrecon.case_undos),
        (select max(added_at) from payrecon.list_entries),
        (select max(removed_at) from payrecon.list_removals),
        (select max(decided_at) from payrecon.parked_outcomes)
    )
$$;
