-- purpose: the batches of decisions that an erased user's case was in stay with it.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_batches
set case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
