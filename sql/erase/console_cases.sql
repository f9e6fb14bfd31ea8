-- purpose: moves the gathered case of an erased user to that of the pseudonym; the id of a case is a hash of its subject.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update console_cases
set
    case_id = case_id_of('user', :'pseudonym'::text),
    subject_id = :'pseudonym'::text,
    item_ids = erased_items(item_ids, :'user_id'::text, :'pseudonym'::text),
    place = left(place, -32) || case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
