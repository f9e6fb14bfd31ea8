-- purpose: the changes of breaks by a run.
-- parameters: run_id (text)
-- grain:   one row per class and direction
select class, is_open, count(*) as break_count
from break_events
where run_id = :'run_id'::text
group by class, is_open
order by class, is_open desc;
