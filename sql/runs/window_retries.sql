-- purpose: windows of a job that ended temporarily and may be restarted.
-- parameters: job (text)
-- grain:   one row per window, oldest first
select scheduled_at, window_from, window_to
from job_windows
where job = :'job'::text
    and origin = 'schedule'
    and not is_final
    and ended_at is not null
    and coalesce(retry_at <= clock_timestamp(), true)
order by scheduled_at, window_from;
