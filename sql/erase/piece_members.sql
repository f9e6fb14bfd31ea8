-- purpose: replaces an erased user in the partitions of a running match run.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update piece_members
set id = :'pseudonym'::text
where kind = 'user'
    and id = :'user_id'::text;
