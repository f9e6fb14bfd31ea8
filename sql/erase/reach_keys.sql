-- purpose: links of an erased user are the pseudonym's.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update reach_keys
set
    key = case when kind = 'user' and key = :'user_id'::text then :'pseudonym'::text else key end,
    id = case when side = 'user' and id = :'user_id'::text then :'pseudonym'::text else id end
where (kind = 'user' and key = :'user_id'::text)
    or (
        kind = 'token'
        and side = 'user'
        and id = :'user_id'::text
        and key in (
            select linked.id
            from reach_keys as linked
            where linked.key = :'user_id'::text
                and linked.kind = 'user'
                and linked.side = 'token'
        )
    );
