-- purpose: adds an entry to a list.
-- parameters: list, subject_kind, subject_id, family, rule, owner, reason (text), valid_from, valid_to, as_of (timestamptz)
-- grain:   one row: the entry's id; none if the same entry exists
insert into list_entries (
    entry_id, list, subject_kind, subject_id, family, rule, owner, reason, valid_from, valid_to, added_at
)
values (
    id_hash(
        concat_ws(
            '|', :'list'::text, :'subject_kind'::text, :'subject_id'::text, :'family'::text, :'rule'::text, :'owner'::text,
            :'reason'::text, rfc3339(:'valid_from'::timestamptz), rfc3339(:'valid_to'::timestamptz)
        )
    ),
    :'list'::text, :'subject_kind'::text, :'subject_id'::text, :'family'::text, :'rule'::text, :'owner'::text,
    :'reason'::text, :'valid_from'::timestamptz, :'valid_to'::timestamptz, :'as_of'::timestamptz
)
on conflict do nothing
returning entry_id;
