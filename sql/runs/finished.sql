-- purpose: verdict of a run that an earlier attempt finished, if decisions of a later clock exist and the newest attempt read
--          nothing new. Such an attempt changes nothing.
-- parameters: run_id (text)
-- grain:   at most one row
select decided.verdict, coalesce(decided.message, '') as message
from runs as decided
cross join last_decided() as last
where decided.run_id = :'run_id'::text
    and decided.last_batch_id is not null
    and decided.verdict <> 'failed'
    and last.as_of > decided.as_of
    and not exists (
        select 1
        from batches
        where batches.run_id = decided.run_id
            and batches.accepted_count + batches.parked_count > 0
            and batches.batch_id > (
                select max(attempts.begun_after_batch_id)
                from runs as attempts
                where attempts.run_id = decided.run_id
            )
    )
order by decided.attempt desc
limit 1;
