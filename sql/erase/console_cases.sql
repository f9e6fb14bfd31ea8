-- purpose: moves the gathered cases of an erased user, and of a ring identified by the user, to those of the pseudonym; the id of a case
--          is a hash of its subject.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update console_cases
set
    case_id = renamed.case_id,
    subject_id = renamed.subject_id,
    place = left(console_cases.place, -32) || renamed.case_id
from (
    select named.old_id, named.subject_id, case_id_of(named.subject_kind, named.subject_id) as case_id
    from (
        select
            console_cases.case_id as old_id, console_cases.subject_kind, console_cases.subject_id as old_subject_id,
            erased_subject(
                console_cases.subject_kind, console_cases.subject_id, :'user_id'::text, :'pattern'::text, :'pseudonym'::text
            ) as subject_id
        from console_cases
        where console_cases.subject_kind in ('user', 'ring')
    ) as named
    where named.subject_id <> named.old_subject_id
) as renamed
where console_cases.case_id = renamed.old_id;
