-- purpose: adds a note to a case, with the accounts that it mentions: @ and the name of an account that works on cases.
-- parameters: case_id, person, note (text), as_of (timestamptz)
-- grain:   one row; none if the same note exists
insert into case_notes (case_id, note_id, person, note, at, mentions)
values (
    :'case_id'::text,
    id_hash(concat_ws('|', :'case_id'::text, acting_account(), rfc3339(:'as_of'::timestamptz), :'note'::text)),
    :'person'::text, :'note'::text, :'as_of'::timestamptz,
    array(
        select distinct workers.account
        from regexp_matches(:'note'::text, '@([A-Za-z0-9._@-]{1,63})', 'g') as found (parts)
        inner join console_workers() as workers on person_key(workers.account) = person_key(rtrim(found.parts[1], '.'))
        order by workers.account
    )
)
on conflict do nothing;
