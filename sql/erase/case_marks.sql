-- purpose: what was arranged about an erased user's case stays with it, without the words beside it.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_marks
set
    case_id = case_id_of('user', :'pseudonym'::text),
    reason = ''
where case_id = case_id_of('user', :'user_id'::text);
