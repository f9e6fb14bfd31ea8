-- purpose: records the end of an attempt, in its window and in the list of attempts.
-- parameters: job, host, verdict, run_id, message (text), window_from, window_to (timestamptz), attempt, exit_status
--             (integer), row_count (bigint), is_final (boolean), retry_after (text, an interval; null: at once or never)
-- grain:   one row if this host still held the window
with ended as (
    update job_windows
    set
        ended_at = clock_timestamp(),
        retry_at = clock_timestamp() + :'retry_after'::text::interval,
        is_final = :'is_final'::boolean,
        exit_status = :'exit_status'::integer,
        verdict = :'verdict'::text,
        run_id = :'run_id'::text,
        row_count = :'row_count'::bigint,
        message = :'message'::text
    where job = :'job'::text
        and window_from = :'window_from'::timestamptz
        and window_to = :'window_to'::timestamptz
        and attempt = :'attempt'::integer
        and host = :'host'::text
        and ended_at is null
    returning *
)
insert into job_attempts (
    job, window_from, window_to, attempt, host, started_at, ended_at, exit_status, verdict, message
)
select job, window_from, window_to, attempt, host, started_at, ended_at, exit_status, verdict, message
from ended
returning attempt;
