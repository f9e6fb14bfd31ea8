-- purpose: the verdicts of the last nights, newest first.
-- parameters: rows (bigint)
-- grain:   one row per night: its latest attempt
select latest.run_id, latest.as_of, latest.verdict, latest.message
from (
    select distinct on (runs.run_id) runs.run_id, rfc3339(runs.as_of) as as_of,
        coalesce(runs.verdict, 'under way') as verdict, runs.message
    from runs
    where runs.job = 'nightly'
    order by runs.run_id asc, runs.attempt desc
) as latest
order by latest.as_of desc, latest.run_id
limit :'rows'::bigint;
