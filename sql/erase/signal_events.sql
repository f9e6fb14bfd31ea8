-- purpose: replaces an erased user in signals, including the details of other users' signals. A signal's id is a hash of its
--          subject.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update signal_events
set
    signal_id = case
        when subject_kind in ('user', 'ring') and subject_id ~ :'pattern'::text
            then signal_hash(rule, subject_kind, regexp_replace(subject_id, :'pattern'::text, :'pseudonym'::text, 'g'))
        else signal_id
    end,
    subject_id = case
        when subject_kind in ('user', 'ring')
            then regexp_replace(subject_id, :'pattern'::text, :'pseudonym'::text, 'g')
        else subject_id
    end,
    user_id = case when user_id = :'user_id'::text then :'pseudonym'::text else user_id end,
    detail = erased_phrase(detail, :'pattern'::text, :'pseudonym'::text),
    inputs = regexp_replace(inputs, :'pattern'::text, :'pseudonym'::text, 'g')
where user_id = :'user_id'::text
    or (subject_kind in ('user', 'ring') and subject_id ~ :'pattern'::text)
    -- Most rows do not contain the id at all.
    or (
        strpos(detail::text, trim('"' from to_jsonb(:'user_id'::text)::text)) > 0
        and detail <> erased_phrase(detail, :'pattern'::text, :'pseudonym'::text)
    )
    or inputs ~ :'pattern'::text;
