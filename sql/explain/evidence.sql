-- purpose: an evidence item that belongs to no charge, or a quarantine sample: its uploads and verdicts, as lines for
--          readers.
-- parameters: id (text): hash of the item, or a break about it
-- grain:   one row per line
with broken as materialized (
    select split_part(break_events.subject_id, ':', 2) as sha256
    from break_events
    where break_events.break_id = :'id'::text
        and break_events.subject_id like 'evidence:%'
),
wanted as materialized (
    select named.sha256, hash_of_letters(named.sha256) as hash
    from (select :'id'::text as sha256 union select broken.sha256 from broken) as named
),
item as materialized (
    select
        wanted.sha256, wanted.hash, evidence.kind, evidence.verdict, evidence.reason, evidence.transaction_id, evidence.source,
        evidence.received_at
    from wanted
    inner join judged_evidence as evidence on evidence.sha256 = wanted.hash
    where evidence.charge_id is null
),
upload as (
    select
        item.sha256, 1 as place,
        'evidence ' || item.sha256 || ': ' || item.kind || ', ' || item.verdict
            || coalesce(' (' || nullif(item.reason, '') || ')', '') || coalesce(', transaction ' || item.transaction_id, '')
            || ', from ' || item.source || ', received ' || rfc3339(item.received_at) as text
    from item
    union all
    select
        item.sha256, 2,
        '  handed over ' || rfc3339(uploads.received_at) || ' by ' || concat_ws(
            ', ', uploads.source, 'user ' || nullif(uploads.user_id, ''), 'device ' || nullif(uploads.device_id, ''),
            'for order ' || nullif(uploads.order_id, '')
        )
    from item
    inner join uploads on uploads.sha256 = item.hash
    union all
    select
        item.sha256, 3,
        '  judged anew ' || rfc3339(batches.known_at) || ': ' || judgements.verdict
            || coalesce(' (' || nullif(judgements.reason, '') || ')', '')
            || coalesce(', known as ' || encode(judgements.replaced_by, 'hex'), '') || ', by reader ' || left(judgements.reader_sha256, 12)
            || ' (roots ' || left(readers.anchors_sha256, 12) || ', version ' || readers.version || ')'
    from item
    inner join judgements on judgements.sha256 = item.hash
    inner join batches on batches.batch_id = judgements.batch_id
    inner join readers on readers.reader_sha256 = judgements.reader_sha256
    union all
    select
        kept.sha256, 4, 'quarantine ' || kept.sha256 || ': ' || coalesce(nullif(kept.kind, ''), 'not readable') || ', '
            || kept.verdict || ' (' || kept.reason || '), from ' || kept.source || ', received ' || rfc3339(kept.received_at)
            || '; it concerns nobody'
    from wanted
    inner join quarantined_items as kept on kept.sha256 = wanted.sha256
    where kept.released_batch_id is null
        and kept.batch_id is not null
)
select text
from upload
order by sha256, place, text;
