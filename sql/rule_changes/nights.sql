-- purpose: the complete nights up to a clock, newest first, with their runs and clocks.
-- parameters: as_of (timestamptz), night_max (integer)
-- grain:   one row per clock
select distinct on (runs.as_of) runs.run_id, rfc3339(runs.as_of) as as_of
from runs
where runs.job = 'nightly'
    and is_complete(runs.verdict)
    and runs.as_of <= :'as_of'::timestamptz
order by runs.as_of desc, runs.started_at desc
limit :'night_max'::integer;
