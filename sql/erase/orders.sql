-- purpose: replaces an erased user in orders and removes the shop's user name.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update orders
set
    user_id = :'pseudonym'::text,
    application_username = null
where user_id = :'user_id'::text;
