-- purpose: whether a window of a job is in progress on a live host.
-- parameters: job (text)
-- grain:   one row
select exists (
    select 1 from job_windows where job = :'job'::text and ended_at is null and lease_until > clock_timestamp()
) as is_running;
