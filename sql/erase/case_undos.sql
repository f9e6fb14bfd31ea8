-- purpose: what was undone about an erased user stays with the case.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_undos
set case_id = left(encode(sha256(convert_to('user|' || :'pseudonym'::text, 'UTF8')), 'hex'), 32)
where case_id = left(encode(sha256(convert_to('user|' || :'user_id'::text, 'UTF8')), 'hex'), 32);
