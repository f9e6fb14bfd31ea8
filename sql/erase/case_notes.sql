-- purpose: what was noted about an erased user's case stays with it, without its words, which may name the person.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_notes
set
    case_id = left(encode(sha256(convert_to('user|' || :'pseudonym'::text, 'UTF8')), 'hex'), 32),
    note = '(erased)'
where case_id = left(encode(sha256(convert_to('user|' || :'user_id'::text, 'UTF8')), 'hex'), 32);
