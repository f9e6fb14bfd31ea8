-- purpose: ends attempts with an expired lease; a scheduled one may be restarted, up to its attempts.
-- parameters: job (text), attempts_max (integer)
-- grain:   one row per dead attempt
with dead as (
    update job_windows
    set
        ended_at = clock_timestamp(),
        verdict = 'failed',
        is_final = origin <> 'schedule' or attempt >= :'attempts_max'::integer,
        message = 'host ' || host || ' let its lease expire: it died or lost the database'
    where job = :'job'::text
        and ended_at is null
        and lease_until <= clock_timestamp()
    returning *
)
insert into job_attempts (
    job, window_from, window_to, attempt, host, started_at, ended_at, exit_status, verdict, message
)
select job, window_from, window_to, attempt, host, started_at, ended_at, exit_status, verdict, message
from dead
returning attempt;
