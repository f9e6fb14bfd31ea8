-- purpose: a page of the runs, newest first.
-- parameters: after (text): sort key of the previous page's last row; rows (bigint)
-- grain:   one row per run and attempt
select run.run_id, run.job, run.attempt, run.as_of, run.verdict, run.started_at, run.ended_at, run.message, run.place
from (
    select
        runs.run_id, runs.job, runs.attempt, rfc3339(runs.as_of) as as_of, coalesce(runs.verdict, 'under way') as verdict,
        rfc3339(runs.started_at) as started_at, rfc3339(runs.ended_at) as ended_at, runs.message,
        concat_ws(
            '|', to_char(runs.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), runs.run_id, runs.attempt
        ) as place
    from runs
) as run
where :'after'::text = ''
    or run.place < :'after'::text collate "C"
order by run.place collate "C" desc
limit :'rows'::bigint;
