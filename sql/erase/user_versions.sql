-- purpose: replaced versions of an erased user bear the pseudonym.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update user_versions
set user_id = :'pseudonym'::text
where user_id = :'user_id'::text;
