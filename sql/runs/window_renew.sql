-- purpose: extends a lease that this host still holds.
-- parameters: job, host (text), window_from, window_to (timestamptz), attempt (integer), lease (text, an interval)
-- grain:   one row if it is still held
update job_windows
set lease_until = clock_timestamp() + :'lease'::text::interval
where job = :'job'::text
    and window_from = :'window_from'::timestamptz
    and window_to = :'window_to'::timestamptz
    and attempt = :'attempt'::integer
    and host = :'host'::text
    and ended_at is null
returning attempt;
