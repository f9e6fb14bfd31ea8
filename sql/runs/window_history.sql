-- purpose: rows and seconds of the four latest windows of a job on the same weekday at the same time of day.
-- parameters: job, time_zone (text), scheduled_at (timestamptz)
-- grain:   at most four rows; row_count is null if the job records no run
select row_count, extract(epoch from ended_at - started_at)::bigint as seconds
from job_windows
where job = :'job'::text
    and is_final
    and is_complete(verdict)
    and scheduled_at < :'scheduled_at'::timestamptz
    and scheduled_at > :'scheduled_at'::timestamptz - interval '57 days'
    and mod(
        extract(
            epoch from (:'scheduled_at'::timestamptz at time zone :'time_zone'::text)
            - (scheduled_at at time zone :'time_zone'::text)
        )::bigint,
        604800
    ) = 0
order by scheduled_at desc
limit 4;
