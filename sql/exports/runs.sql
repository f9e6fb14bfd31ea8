-- purpose: export of runs as known at a clock: job, window, and outcome of each.
-- parameters: as_of (timestamptz)
-- grain:   one row per run and attempt
select
    run_id, job, rfc3339(as_of) as as_of, verdict, attempt, rfc3339(started_at) as started_at,
    rfc3339(ended_at) as ended_at, settings_sha256, code_version, counts, message, last_batch_id
from runs_at(:'as_of'::timestamptz)
order by as_of, run_id, attempt;
