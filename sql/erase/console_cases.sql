-- purpose: the case of an erased user as the console gathered it last, whose id is a hash of whom it is about.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update console_cases
set
    case_id = case_id_of('user', :'pseudonym'::text),
    subject_id = :'pseudonym'::text,
    place = left(place, -32) || case_id_of('user', :'pseudonym'::text)
where subject_kind = 'user'
    and subject_id = :'user_id'::text;
