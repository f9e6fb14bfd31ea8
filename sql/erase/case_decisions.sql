-- purpose: moves decisions about an erased user to the pseudonym's case, whose id is a hash of its subject; reasons get the
--          pseudonym.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update case_decisions
set
    case_id = case
        when subject_kind = 'user' and subject_id = :'user_id'::text then case_id_of('user', :'pseudonym'::text) else case_id
    end,
    subject_id = case when subject_kind = 'user' and subject_id = :'user_id'::text then :'pseudonym'::text else subject_id end,
    reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where (subject_kind = 'user' and subject_id = :'user_id'::text)
    or reason ~ :'pattern'::text;
