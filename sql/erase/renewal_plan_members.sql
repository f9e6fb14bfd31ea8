-- purpose: replaces an erased user in renewal plans.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update renewal_plan_members
set user_id = :'pseudonym'::text
where user_id = :'user_id'::text;
