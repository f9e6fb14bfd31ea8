-- purpose: attachments of an erased user's case stay without their names; those of other cases name the pseudonym.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update case_attachments
set
    case_id = case
        when case_id = case_id_of('user', :'user_id'::text) then case_id_of('user', :'pseudonym'::text) else case_id
    end,
    name = case
        when case_id = case_id_of('user', :'user_id'::text) then '(erased)'
        else left(regexp_replace(name, :'pattern'::text, :'pseudonym'::text, 'g'), 100)
    end
where case_id = case_id_of('user', :'user_id'::text)
    or name ~ :'pattern'::text;
