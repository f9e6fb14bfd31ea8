-- purpose: replaces an erased user in ended pending breaks, including the details of other users' breaks.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update ended_pending_breaks
set
    user_id = case when user_id = :'user_id'::text then :'pseudonym'::text else user_id end,
    detail = regexp_replace(detail, :'pattern'::text, :'pseudonym'::text, 'g')
where user_id = :'user_id'::text
    or detail ~ :'pattern'::text;
