-- purpose: user ids, of the users file or of an order alone, that a text is, or begins; a whole id comes first
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select known.id
from (
    select users.user_id
    from users
    where users.user_id >= :'prefix'::text
        and users.user_id < :'prefix'::text || chr(1114111)
    union
    select begun.key from keys_beginning(:'prefix'::text, 'user', :'rows'::bigint) as begun (key)
) as known (id)
order by known.id collate "C"
limit :'rows'::bigint;
