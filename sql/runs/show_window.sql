-- purpose: the scheduled window that started a run.
-- parameters: run_id (text)
-- grain:   at most one row
select job, rfc3339(window_from) as window_from, rfc3339(window_to) as window_to, origin, attempt, host
from job_windows
where run_id = :'run_id'::text
order by scheduled_at desc
limit 1;
