-- purpose: run ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select distinct runs.run_id
from runs
where runs.run_id >= :'prefix'::text
    and runs.run_id < :'prefix'::text || chr(1114111)
order by runs.run_id
limit :'rows'::bigint;
