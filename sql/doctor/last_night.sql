-- purpose: the latest night and how it ended; one that looked ahead is not counted.
-- parameters: none
-- grain:   at most one row; lag_seconds is how far its clock was behind the server's when it began
select
    run_id, rfc3339(as_of) as as_of, verdict, nullif(message, '') as message,
    extract(epoch from started_at - runs.as_of)::bigint as lag_seconds
from runs
where job = 'nightly'
    and not is_ahead
order by runs.as_of desc, started_at desc
limit 1;
