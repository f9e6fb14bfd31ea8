-- purpose: moves batches to the clock of the first run that uses them, if that clock is earlier. These are batches read on
--          the wall clock, and batches that other processes opened before the run fixed its input. A run below the clock of
--          the last decisions moves none, nor does a run at a clock that signed reports show.
-- parameters: as_of (timestamptz), run_id (text): no run of that name exists yet if the run is only starting
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
    )
    and coalesce(signed_clock() < :'as_of'::timestamptz, true);
