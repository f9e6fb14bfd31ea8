-- purpose: replaces an erased user in replaced order versions and removes the shop's user name.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update order_versions
set
    user_id = :'pseudonym'::text,
    application_username = null
where user_id = :'user_id'::text;
