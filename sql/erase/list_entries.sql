-- purpose: moves list entries about an erased user to the pseudonym; reasons get the pseudonym.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update list_entries
set
    subject_id = case when subject_kind = 'user' and subject_id = :'user_id'::text then :'pseudonym'::text else subject_id end,
    reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where (subject_kind = 'user' and subject_id = :'user_id'::text)
    or reason ~ :'pattern'::text;
