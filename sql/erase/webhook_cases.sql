-- purpose: moves the webhook state of an erased user's case to its new id, so that receivers see no more events under the
--          old id.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update webhook_cases
set case_id = case_id_of('user', :'pseudonym'::text)
where case_id = case_id_of('user', :'user_id'::text);
