-- purpose: how far an installation is from a nightly job: what it read, and which nights it ran.
-- grain:   one row; kinds are separated by commas, is_scheduled is true once run-due started a night
select
    array_to_string(
        array(
            select input.kind
            from unnest(array['orders', 'users', 'catalogue', 'apple']) as input (kind)
            where exists (
                select 1
                from batches
                where batches.kind = input.kind
                    and batches.accepted_count > 0
            )
            order by input.kind collate "C"
        ), ','
    ) as kinds,
    count(*) as night_count,
    count(distinct (runs.started_at at time zone 'UTC')::date) as night_day_count,
    exists (select 1 from job_windows where job_windows.job = 'nightly') as is_scheduled
from runs
where runs.job = 'nightly'
    and not runs.is_ahead
    and runs.verdict is not null
    and runs.verdict <> 'failed';
