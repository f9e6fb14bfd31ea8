-- purpose: replaces an erased user in replaced order versions, also as the employee who booked the order, and removes the shop's user
--          name.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update order_versions
set
    user_id = case when user_id = :'user_id'::text then :'pseudonym'::text else user_id end,
    application_username = case when user_id <> :'user_id'::text then application_username end,
    operator_id = case when operator_id = :'user_id'::text then :'pseudonym'::text else operator_id end
where user_id = :'user_id'::text
    or operator_id = :'user_id'::text;
