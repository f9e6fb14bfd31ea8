-- purpose: user ids, from the users file or an order, that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select known.id
from (
    select users.user_id
    from users
    where users.user_id >= :'prefix'::text
        and users.user_id < :'prefix'::text || chr(1114111)
    union
    select matching.key from keys_beginning(:'prefix'::text, 'user', :'rows'::bigint) as matching (key)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
