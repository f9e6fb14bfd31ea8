-- purpose: moves the decision batches of an erased user's case to the pseudonym's case.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_batches
set case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
