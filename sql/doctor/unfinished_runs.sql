-- purpose: runs without a verdict: running ones, and dead ones that no later run of their job replaced.
-- grain:   one row per run of the last 30 days, latest first, 20 at most
select
    runs.run_id, runs.attempt, runs.job, rfc3339(date_trunc('second', runs.started_at)) as started_at,
    nullif(split_part(runs.process, ':', 1), '') as host,
    nullif(split_part(runs.process, ':', 2), '') as process,
    exists (
        select 1
        from pg_stat_activity
        where pg_stat_activity.datname = current_database()
            and pg_stat_activity.application_name like 'payrecon %'
            and right(pg_stat_activity.application_name, length(runs.process) + 1) = ' ' || runs.process
    ) as is_alive
from runs
where runs.verdict is null
    and runs.started_at > now() - interval '30 days'
    and not exists (
        select 1
        from runs as later
        where later.job = runs.job
            and later.started_at > runs.started_at
            and later.verdict is not null
    )
order by runs.started_at desc
limit 20;
