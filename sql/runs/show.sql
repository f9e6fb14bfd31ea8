-- purpose: one run with all its attempts.
-- parameters: run_id (text)
-- grain:   one row per attempt
select
    run_id, job, attempt, rfc3339(as_of) as as_of, verdict, rfc3339(started_at) as started_at,
    rfc3339(ended_at) as ended_at, extract(epoch from ended_at - started_at)::numeric(12, 1)::text as seconds,
    settings_sha256, code_version, message
from runs
where run_id = :'run_id'::text
order by attempt;
