-- purpose: deletes final windows that ended before an instant, with their attempts. A window stays until a later scheduled
--          window ended complete, so that nothing is started again and monitoring still knows the job's state.
-- parameters: before (timestamptz): latest schedule and end, row_max (bigint): limit of windows, is_dry_run (boolean):
--             counts all and changes nothing
-- grain:   two rows: table and rows
with due as (
    select job_windows.job, job_windows.window_from, job_windows.window_to
    from job_windows
    where job_windows.scheduled_at < :'before'::timestamptz
        and job_windows.ended_at < :'before'::timestamptz
        and job_windows.is_final
        and exists (
            select 1
            from job_windows as later
            where later.job = job_windows.job
                and later.scheduled_at > job_windows.scheduled_at
                and later.origin = 'schedule'
                and later.is_final
                and is_complete(later.verdict)
        )
    order by job_windows.job, job_windows.window_from, job_windows.window_to
    limit case when not :'is_dry_run'::boolean then :'row_max'::bigint end
),
removed as (
    delete from job_windows
    using due
    where job_windows.job = due.job
        and job_windows.window_from = due.window_from
        and job_windows.window_to = due.window_to
        -- An operator may restart it concurrently.
        and job_windows.is_final
        and job_windows.ended_at is not null
        and not :'is_dry_run'::boolean
    returning job_windows.job, job_windows.window_from, job_windows.window_to
),
removed_attempt as (
    delete from job_attempts
    using removed
    where job_attempts.job = removed.job
        and job_attempts.window_from = removed.window_from
        and job_attempts.window_to = removed.window_to
)
select 'job_windows' as name, count(*) as row_count
from due
union all
select 'job_attempts', count(*)
from job_attempts
inner join due using (job, window_from, window_to)
order by name desc;
