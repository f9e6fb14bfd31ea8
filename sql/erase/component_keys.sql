-- purpose: keys of an erased user are the pseudonym's.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update component_keys
set
    key = case when kind = 'user' and key = :'user_id'::text then :'pseudonym'::text else key end,
    id = case when side = 'user' and id = :'user_id'::text then :'pseudonym'::text else id end
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
    );
