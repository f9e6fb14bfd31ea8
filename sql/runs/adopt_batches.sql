-- purpose: batches read on the wall clock, and those that others opened while the run was on its way to decide, are known
--          from the first run that uses them, when its clock lies earlier; a run below the clock of the last decisions uses none.
-- parameters: as_of (timestamptz), run_id (text): none of that name has begun where a run only begins
-- grain:   one batch
update batches
set known_at = :'as_of'::timestamptz
where known_at > :'as_of'::timestamptz
    and (
        not is_clock_given
        or batch_id > (select max(runs.begun_after_batch_id) from runs where runs.run_id = :'run_id'::text)
    )
    and not exists (
        select 1
        from runs
        where runs.last_batch_id is not null
            and runs.as_of > :'as_of'::timestamptz
    );
