-- purpose: the token of an erased user names the pseudonym.
-- parameters: user_id, pseudonym (text), erased_at (timestamptz)
-- grain:   one row per row changed
update users
set
    user_id = :'pseudonym'::text,
    erased_at = :'erased_at'::timestamptz
where user_id = :'user_id'::text;
