-- purpose: keeps marks of an erased user's case without their reasons; reasons in other cases get the pseudonym.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update case_marks
set
    case_id = case case_id when case_id_of('user', :'user_id'::text) then case_id_of('user', :'pseudonym'::text) else case_id end,
    reason = case
        when case_id = case_id_of('user', :'user_id'::text) then ''
        else regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
    end
where case_id = case_id_of('user', :'user_id'::text)
    or reason ~ :'pattern'::text;
