-- purpose: orders of an erased user are the pseudonym's; what the shop called the user goes.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update orders
set
    user_id = :'pseudonym'::text,
    application_username = null
where user_id = :'user_id'::text;
