-- purpose: decisions about an erased user stay with the case, whose id is a hash of whom it is about.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update case_decisions
set
    case_id = case_id_of('user', :'pseudonym'::text),
    subject_id = :'pseudonym'::text
where subject_kind = 'user'
    and subject_id = :'user_id'::text;
