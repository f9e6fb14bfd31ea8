-- purpose: Returns the newest decided clock and its run, or the instant after the newest clock of signed reports; at most one
--          row.
create or replace function payrecon.last_decided() returns table (run_id text, as_of timestamptz)
language sql stable parallel safe
as $$
    select decided.run_id, decided.as_of
    from (
        (
            select runs.run_id, runs.as_of
            from payrecon.runs
            where runs.last_batch_id is not null
            order by runs.as_of desc, runs.run_id
            limit 1
        )
        union all
        (select detections.run_id, detections.as_of from payrecon.detections order by detections.as_of desc limit 1)
        union all
        select 'period close', payrecon.signed_clock() + interval '1 microsecond'
        where payrecon.signed_clock() is not null
    ) as decided
    order by decided.as_of desc, decided.run_id
    limit 1
$$;
