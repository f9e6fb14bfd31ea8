-- purpose: verdict of a run that an earlier attempt finished with the same settings and program, if decisions of a later clock
--          exist and no attempt since read anything new. Such an attempt changes nothing.
-- parameters: run_id, settings_sha256, code_version (text)
-- grain:   at most one row
select decided.verdict, coalesce(decided.message, '""')::text as message
from runs as decided
cross join last_decided() as last
where decided.run_id = :'run_id'::text
    and decided.last_batch_id is not null
    and decided.verdict <> 'failed'
    and decided.settings_sha256 = :'settings_sha256'::text
    and decided.code_version = :'code_version'::text
    and last.as_of > decided.as_of
    and not exists (
        select 1
        from batches
        where batches.run_id = decided.run_id
            and batches.accepted_count + batches.parked_count > 0
            and batches.batch_id > decided.last_batch_id
    )
order by decided.attempt desc
limit 1;
