-- purpose: the latest night and how it ended; one that looked ahead is not counted.
-- parameters: none
-- grain:   at most one row
select run_id, rfc3339(as_of) as as_of, verdict, nullif(message, '') as message
from runs
where job = 'nightly'
    and not is_ahead
order by runs.as_of desc, started_at desc
limit 1;
