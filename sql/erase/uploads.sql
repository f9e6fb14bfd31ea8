-- purpose: replaces an erased user in uploads.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update uploads
set user_id = :'pseudonym'::text
where user_id = :'user_id'::text;
