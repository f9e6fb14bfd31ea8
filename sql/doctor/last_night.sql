-- purpose: the latest night and its verdict; nights ahead of the clock are left out.
-- grain:   at most one row; lag_seconds is the distance of its clock behind the server's at the start
select
    run_id, rfc3339(as_of) as as_of, verdict, nullif(english(message), '') as message,
    extract(epoch from started_at - runs.as_of)::bigint as lag_seconds
from runs
where job = 'nightly'
    and not is_ahead
order by runs.as_of desc, started_at desc
limit 1;
