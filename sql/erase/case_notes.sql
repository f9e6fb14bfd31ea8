-- purpose: what was noted about an erased user's case stays with it, without its words, which may name the person.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_notes
set
    case_id = case_id_of('user', :'pseudonym'::text),
    note = '(erased)'
where case_id = case_id_of('user', :'user_id'::text);
