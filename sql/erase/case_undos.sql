-- purpose: what was undone about an erased user stays with the case.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_undos
set case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
