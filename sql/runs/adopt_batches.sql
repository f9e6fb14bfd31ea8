-- purpose: batches read on the wall clock are known from the first run that uses them, when its clock lies earlier; a run
--          below the clock of the last decisions uses none.
-- parameters: as_of (timestamptz)
-- grain:   one batch
update batches
set known_at = :'as_of'::timestamptz
where not is_clock_given
    and known_at > :'as_of'::timestamptz
    and not exists (
        select 1
        from runs
        where runs.last_batch_id is not null
            and runs.as_of > :'as_of'::timestamptz
    );
