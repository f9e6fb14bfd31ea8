-- purpose: signal ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select distinct signal_events.signal_id
from signal_events
where signal_events.signal_id >= :'prefix'::text
    and signal_events.signal_id < :'prefix'::text || chr(1114111)
order by signal_events.signal_id
limit :'rows'::bigint;
