-- purpose: for monitoring: the state of each scheduled job.
-- grain:   one row per scheduled job
with ranked as (
    select
        job_windows.*,
        row_number() over (partition by job order by scheduled_at desc) as recency,
        max(window_to) filter (where is_complete(verdict)) over (partition by job) as complete_to
    from job_windows
    where ended_at is not null
)
select
    job, verdict, exit_status,
    extract(epoch from window_to)::bigint as window_to,
    extract(epoch from complete_to)::bigint as complete_to,
    extract(epoch from ended_at)::bigint as ended_at,
    attempt
from ranked
where recency = 1
order by job;
