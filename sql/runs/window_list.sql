-- purpose: windows of jobs with their outcome.
-- grain:   one row per window, latest attempt
select
    job, rfc3339(window_from) as window_from, rfc3339(window_to) as window_to, rfc3339(scheduled_at) as scheduled_at,
    origin, attempt, verdict, exit_status, is_final, run_id, row_count, host, rfc3339(started_at) as started_at,
    rfc3339(ended_at) as ended_at, rfc3339(retry_at) as retry_at, message
from job_windows
order by scheduled_at, job, window_from;
