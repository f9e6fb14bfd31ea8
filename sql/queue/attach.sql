-- purpose: attaches a file to a case; equal bytes are stored once.
-- parameters: case_id, sha256, name, person (text), body (bytea), as_of (timestamptz), attachments (bigint): limit per case
-- grain:   one row; none if it is already attached or the case is at the limit
with room as materialized (
    select count(*) as attachment_count from case_attachments where case_attachments.case_id = :'case_id'::text
),
stored as (
    insert into attachment_bodies (sha256, body)
    select :'sha256'::text, :'body'::bytea
    from room
    where room.attachment_count < :'attachments'::bigint
    on conflict do nothing
)
insert into case_attachments (case_id, sha256, name, byte_count, person, at)
select :'case_id'::text, :'sha256'::text, :'name'::text, length(:'body'::bytea), :'person'::text, :'as_of'::timestamptz
from room
where room.attachment_count < :'attachments'::bigint
on conflict do nothing;
