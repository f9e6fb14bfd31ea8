-- purpose: records the start of a run, before its work; a rerun is a further attempt of the same run.
-- parameters: run_id, job, settings_sha256, code_version, process, roots_sha256, entries_sha256 (text), as_of (timestamptz),
--             is_ahead (boolean: as_of lies ahead of the machine's clock)
-- grain:   one row: the attempt's number
insert into runs (
    run_id, attempt, job, settings_sha256, code_version, as_of, is_ahead, process, roots_sha256, entries_sha256, begun_after_batch_id,
    started_at
)
select
    :'run_id'::text,
    coalesce(max(runs.attempt), 0) + 1,
    :'job'::text,
    :'settings_sha256'::text,
    :'code_version'::text,
    :'as_of'::timestamptz,
    :'is_ahead'::boolean,
    :'process'::text,
    :'roots_sha256'::text,
    :'entries_sha256'::text,
    (select coalesce(max(batches.batch_id), 0) from batches),
    clock_timestamp()
from runs
where runs.run_id = :'run_id'::text
returning attempt;
