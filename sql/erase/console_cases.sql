-- purpose: moves the gathered case of an erased user to the pseudonym's case, whose id is a hash of its subject.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update console_cases
set
    case_id = case_id_of('user', :'pseudonym'::text),
    subject_id = :'pseudonym'::text,
    place = left(place, -32) || case_id_of('user', :'pseudonym'::text)
where subject_kind = 'user'
    and subject_id = :'user_id'::text;
