-- purpose: moves pending webhook events of an erased user's case to its new id.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update webhook_events
set subject_id = case_id_of('user', :'pseudonym'::text)
where subject_id = case_id_of('user', :'user_id'::text);
