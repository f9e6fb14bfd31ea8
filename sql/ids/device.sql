-- purpose: devices that a text is, or begins; a whole id comes first. Until match runs keep keys, the facts
--          themselves are gone through.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
with kept as (
    select coalesce(bool_or(match_state.has_keys), false) as has_keys
    from match_state
    where match_state.name = 'match'
)
select known.id
from (
    select component_keys.key
    from component_keys
    where component_keys.key >= :'prefix'::text
        and component_keys.key < :'prefix'::text || chr(1114111)
        and component_keys.kind = 'device'
    union
    select orders.device_id
    from orders
    where orders.device_id >= :'prefix'::text
        and orders.device_id < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
    union
    select uploads.device_id
    from uploads
    where uploads.device_id >= :'prefix'::text
        and uploads.device_id < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
