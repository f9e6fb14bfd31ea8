-- purpose: notes something about a case, or gives it to somebody.
-- parameters: case_id, person, note, assignee (text): assignee null only notes; as_of (timestamptz)
-- grain:   one row
insert into case_notes (case_id, note_id, person, note, assignee, at)
values (
    :'case_id'::text,
    left(
        encode(
            sha256(
                convert_to(
                    concat_ws('|', :'case_id'::text, acting_account(), rfc3339(:'as_of'::timestamptz), :'note'::text,
                        :'assignee'::text
                    ),
                    'UTF8'
                )
            ),
            'hex'
        ),
        32
    ),
    :'person'::text, :'note'::text, :'assignee'::text, :'as_of'::timestamptz
)
on conflict do nothing;
