-- purpose: keeps attachments of an erased user's case without their names; names in other cases get the pseudonym. A name
--          may be the user id with a suffix, such as u17.txt.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update case_attachments
set
    case_id = case when case_id = case_id_of('user', :'user_id'::text) then case_id_of('user', :'pseudonym'::text) else case_id end,
    name = case
        when case_id = case_id_of('user', :'user_id'::text) then '(erased)'
        else left(
            regexp_replace(
                regexp_replace(regexp_replace(name, '\.[A-Za-z0-9]+$', ''), :'pattern'::text, :'pseudonym'::text, 'g')
                || coalesce(substring(name from '\.[A-Za-z0-9]+$'), ''),
                :'pattern'::text, :'pseudonym'::text, 'g'
            ), 100
        )
    end
where case_id = case_id_of('user', :'user_id'::text)
    or name ~ :'pattern'::text
    or regexp_replace(name, '\.[A-Za-z0-9]+$', '') ~ :'pattern'::text;
