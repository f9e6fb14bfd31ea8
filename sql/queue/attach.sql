-- purpose: attaches a file to a case, its bytes kept once.
-- parameters: case_id, sha256, name, person (text), body (bytea), as_of (timestamptz), attachments (bigint): most of one case
-- grain:   one row; none where it is attached already, or the case has too many
with room as materialized (
    select count(*) as attachment_count from case_attachments where case_attachments.case_id = :'case_id'::text
),
kept as (
    insert into attachment_bodies (sha256, body)
    select :'sha256'::text, :'body'::bytea
    from room
    where room.attachment_count < :'attachments'::bigint
    on conflict do nothing
)
insert into case_attachments (case_id, sha256, name, byte_count, person, at)
select
    :'case_id'::text, :'sha256'::text, :'name'::text, length(:'body'::bytea), :'person'::text, :'as_of'::timestamptz
from room
where room.attachment_count < :'attachments'::bigint
on conflict do nothing;
