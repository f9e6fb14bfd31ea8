-- purpose: the latest known instant, and the clock of the earliest run.
-- grain:   one row; nulls in an empty database
select latest_known_at() as latest_at, (select min(runs.as_of) from runs) as first_run_at;
