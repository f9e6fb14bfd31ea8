-- purpose: assigns the tokens of an erased user to the pseudonym.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update user_tokens
set user_id = :'pseudonym'::text
where user_id = :'user_id'::text;
