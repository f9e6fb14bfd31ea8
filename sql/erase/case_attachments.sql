-- purpose: that something was attached to an erased user's case stays with it, without what it was called.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_attachments
set
    case_id = case_id_of('user', :'pseudonym'::text),
    name = '(erased)'
where case_id = case_id_of('user', :'user_id'::text);
