-- purpose: the history of an erased user's case stays with it.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_events
set case_id = left(encode(sha256(convert_to('user|' || :'pseudonym'::text, 'UTF8')), 'hex'), 32)
where case_id = left(encode(sha256(convert_to('user|' || :'user_id'::text, 'UTF8')), 'hex'), 32);
