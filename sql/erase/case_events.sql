-- purpose: the history of an erased user's case stays with it.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_events
set case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
