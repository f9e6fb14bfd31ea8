-- purpose: the run that a window's child process recorded, and the duration of the attempt so far.
-- parameters: job (text), names (text[]): possible names of the child's run, process (text): HOST:PID of the child,
--             window_from, window_to, scheduled_at (timestamptz)
-- grain:   one row; run_id, verdict and row_count are null if the child recorded no run
select
    found.run_id, found.verdict,
    -- A night counts by kind of input.
    coalesce(
        (
            select sum((kind.value ->> 'input')::bigint)::bigint
            from jsonb_each(found.counts::jsonb) as kind (name, value)
            where jsonb_typeof(kind.value) = 'object'
                and kind.value ? 'input'
        ),
        (found.counts::jsonb ->> 'input')::bigint
    ) as row_count,
    english(found.message) as message,
    extract(epoch from clock_timestamp() - job_windows.started_at)::bigint as seconds
from job_windows
left join lateral (
    select runs.run_id, runs.verdict, runs.counts, runs.message
    from runs
    where runs.job = any(:'names'::text[])
        and runs.process = :'process'::text
        and runs.started_at >= job_windows.started_at
        and runs.ended_at is not null
    -- The clock of a command may differ from the scheduled start, as that of consumption send does.
    order by runs.as_of = :'scheduled_at'::timestamptz desc, runs.started_at desc
    limit 1
) as found on true
where job_windows.job = :'job'::text
    and job_windows.window_from = :'window_from'::timestamptz
    and job_windows.window_to = :'window_to'::timestamptz;
