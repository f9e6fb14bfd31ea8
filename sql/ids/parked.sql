-- purpose: parked item ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select parked_items.parked_id
from parked_items
where parked_items.parked_id >= :'prefix'::text
    and parked_items.parked_id < :'prefix'::text || chr(1114111)
order by parked_items.parked_id
limit :'rows'::bigint;
