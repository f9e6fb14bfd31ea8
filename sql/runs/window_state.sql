-- purpose: the state of a job: its latest scheduled start up to a clock, whether a window is in progress, and which are
--          pending.
-- parameters: job (text), now (timestamptz)
-- grain:   one row
select
    (
        select max(scheduled_at)
        from job_windows
        where job = :'job'::text
            and origin = 'schedule'
            and scheduled_at <= :'now'::timestamptz
    ) as last_scheduled_at,
    exists (
        select 1 from job_windows where job = :'job'::text and ended_at is null and lease_until > clock_timestamp()
    ) as is_running,
    exists (
        select 1
        from job_windows
        where job = :'job'::text
            and not is_final
            and ended_at is not null
            and retry_at > clock_timestamp()
    ) as is_waiting,
    (select max(scheduled_at) from job_windows where job = :'job'::text and origin = 'schedule') as last_known_at;
