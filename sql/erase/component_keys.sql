-- purpose: keys of an erased user are the pseudonym's. They are written anew, as they are their own keys.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
with removed as (
    delete from component_keys
    where (kind = 'user' and key = :'user_id'::text)
        or (
            kind = 'token'
            and side = 'user'
            and id = :'user_id'::text
            and key in (
                select other.id
                from component_keys as other
                where other.key = :'user_id'::text
                    and other.kind = 'user'
                    and other.side = 'token'
            )
        )
    returning key, kind, side, id
)
insert into component_keys (key, kind, side, id)
select
    case when kind = 'user' and key = :'user_id'::text then :'pseudonym'::text else key end,
    kind, side,
    case when side = 'user' and id = :'user_id'::text then :'pseudonym'::text else id end
from removed;
