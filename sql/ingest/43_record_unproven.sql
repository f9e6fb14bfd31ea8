-- purpose: records the reader of this batch, and received items that are not entirely genuine, for re-verification by other
--          readers. An item that two readers verified is re-verified by the next. An item signed after the clock is
--          re-verified once a clock has passed its signature.
-- parameters: batch_id (bigint), reader_sha256, anchors_sha256, apps (text), version (integer)
-- grain:   one row per received item with content that is not genuine
with reader as (
    insert into readers (reader_sha256, anchors_sha256, apps, version)
    select :'reader_sha256'::text, :'anchors_sha256'::text, :'apps'::text, :'version'::integer
    where not exists (select 1 from readers where readers.reader_sha256 = :'reader_sha256'::text)
    on conflict do nothing
),
judged as (
    update batches
    set reader_sha256 = :'reader_sha256'::text
    where batches.batch_id = :'batch_id'::bigint
        and batches.reader_sha256 is distinct from :'reader_sha256'::text
),
received as materialized (
    select
        staged_evidence.top_sha256 as sha256, staged_evidence.is_from_apple,
        max(staged_evidence.signed_at) filter (where staged_evidence.reason ->> 'key' = 'signed.later') as held_until
    from staged_evidence
    where staged_evidence.verdict <> 'genuine'
    group by staged_evidence.top_sha256, staged_evidence.is_from_apple
),
requeued as (
    update unproven_evidence
    set reader_sha256 = ''
    from (select distinct received.sha256 from received) as again
    where unproven_evidence.sha256 = again.sha256
        and unproven_evidence.reader_sha256 not in (:'reader_sha256'::text, '')
)
insert into unproven_evidence as known (sha256, is_from_apple, reader_sha256, held_until)
select received.sha256, received.is_from_apple, :'reader_sha256'::text, received.held_until
from received
on conflict (sha256, is_from_apple) do update
set held_until = excluded.held_until
where excluded.held_until is not null
    and known.held_until is distinct from excluded.held_until;
