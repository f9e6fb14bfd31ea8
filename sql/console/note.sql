-- purpose: adds a note to a case.
-- parameters: case_id, person, note (text), as_of (timestamptz)
-- grain:   one row; none if the same note exists
insert into case_notes (case_id, note_id, person, note, at)
values (
    :'case_id'::text,
    left(
        encode(
            sha256(
                convert_to(
                    concat_ws('|', :'case_id'::text, acting_account(), rfc3339(:'as_of'::timestamptz), :'note'::text), 'UTF8'
                )
            ),
            'hex'
        ),
        32
    ),
    :'person'::text, :'note'::text, :'as_of'::timestamptz
)
on conflict do nothing;
