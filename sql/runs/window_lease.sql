-- purpose: leases a window of a job to this host; later requests get no row.
-- parameters: job, origin, host (text), window_from, window_to, scheduled_at (timestamptz), lease (text, an interval),
--             attempts_max (integer), repeats (text[]): verdicts after which a window may be restarted
-- grain:   the attempt's number, or no row
insert into job_windows as known (
    job, window_from, window_to, scheduled_at, origin, host, attempt, lease_until, started_at
)
select
    :'job'::text, :'window_from'::timestamptz, :'window_to'::timestamptz, :'scheduled_at'::timestamptz,
    :'origin'::text, :'host'::text, 1, clock_timestamp() + :'lease'::text::interval, clock_timestamp()
where not exists (
    -- Windows run one after another, so no other one of this job may be in progress.
    select 1
    from job_windows as other
    where other.job = :'job'::text
        and other.ended_at is null
        and other.lease_until > clock_timestamp()
)
on conflict (job, window_from, window_to) do update
set
    attempt = known.attempt + 1,
    host = excluded.host,
    lease_until = excluded.lease_until,
    started_at = excluded.started_at,
    ended_at = null,
    retry_at = null,
    is_final = false,
    exit_status = null,
    verdict = null,
    run_id = null,
    row_count = null,
    message = null
where known.ended_at is not null
    and (
        known.verdict = any(:'repeats'::text[])
        or (
            not known.is_final
            and known.attempt < :'attempts_max'::integer
            and coalesce(known.retry_at <= clock_timestamp(), true)
        )
    )
returning attempt;
