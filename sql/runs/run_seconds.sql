-- purpose: how long an attempt of a run has taken so far.
-- parameters: run_id (text), attempt (integer)
-- grain:   one row
select extract(epoch from clock_timestamp() - started_at)::bigint as seconds
from runs
where run_id = :'run_id'::text
    and attempt = :'attempt'::integer;
