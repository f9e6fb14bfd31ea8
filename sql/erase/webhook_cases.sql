-- purpose: programs that are told of cases hear no more of an erased user's by its old id.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update webhook_cases
set
    case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
