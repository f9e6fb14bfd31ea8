-- purpose: break ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select distinct break_events.break_id
from break_events
where break_events.break_id >= :'prefix'::text
    and break_events.break_id < :'prefix'::text || chr(1114111)
order by break_events.break_id
limit :'rows'::bigint;
