-- purpose: a page of the runs, newest first.
-- parameters: after (text): place of the last row of the page before; rows (bigint)
-- grain:   one row per run and attempt
select told.run_id, told.job, told.attempt, told.as_of, told.verdict, told.started_at, told.ended_at, told.message, told.place
from (
    select
        runs.run_id, runs.job, runs.attempt, rfc3339(runs.as_of) as as_of, coalesce(runs.verdict, 'under way') as verdict,
        rfc3339(runs.started_at) as started_at, rfc3339(runs.ended_at) as ended_at, runs.message,
        concat_ws(
            '|', to_char(runs.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), runs.run_id, runs.attempt
        ) as place
    from runs
) as told
where :'after'::text = ''
    or told.place < :'after'::text collate "C"
order by told.place collate "C" desc
limit :'rows'::bigint;
