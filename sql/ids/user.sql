-- purpose: user ids, of the users file or of an order alone, that a text is, or begins; a whole id comes first. Until match
--          runs keep keys, the facts themselves are gone through.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
with kept as (
    select coalesce(bool_or(match_state.has_keys), false) as has_keys
    from match_state
    where match_state.name = 'match'
)
select known.id
from (
    select users.user_id
    from users
    where users.user_id >= :'prefix'::text
        and users.user_id < :'prefix'::text || chr(1114111)
    union
    select component_keys.key
    from component_keys
    where component_keys.key >= :'prefix'::text
        and component_keys.key < :'prefix'::text || chr(1114111)
        and component_keys.kind = 'user'
    union
    select orders.user_id
    from orders
    where orders.user_id >= :'prefix'::text
        and orders.user_id < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
    union
    select uploads.user_id
    from uploads
    where uploads.user_id >= :'prefix'::text
        and uploads.user_id < :'prefix'::text || chr(1114111)
        and not (select kept.has_keys from kept)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
