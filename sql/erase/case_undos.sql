-- purpose: moves undos in an erased user's case to the pseudonym's case; reasons get the pseudonym.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update case_undos
set
    case_id = case case_id when case_id_of('user', :'user_id'::text) then case_id_of('user', :'pseudonym'::text) else case_id end,
    reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where case_id = case_id_of('user', :'user_id'::text)
    or reason ~ :'pattern'::text;
