-- purpose: the case of an erased user as the console gathered it last, whose id is a hash of whom it is about.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update console_cases
set
    case_id = left(encode(sha256(convert_to('user|' || :'pseudonym'::text, 'UTF8')), 'hex'), 32),
    subject_id = :'pseudonym'::text,
    place = left(place, -32) || left(encode(sha256(convert_to('user|' || :'pseudonym'::text, 'UTF8')), 'hex'), 32)
where subject_kind = 'user'
    and subject_id = :'user_id'::text;
