-- purpose: evidence that belongs to no charge, or a quarantine sample: its uploads and verdicts, as phrases.
-- parameters: id (text): hash of the item, a break about it, or the transaction of items that are not genuine; of these the
--             ten newest
-- grain:   one row per line; is_detail: it belongs to the line before
with break_evidence as materialized (
    select split_part(break_events.subject_id, ':', 2) as sha256
    from break_events
    where break_events.break_id = :'id'::text
        and break_events.subject_id like 'evidence:%'
),
unproven as materialized (
    select evidence.sha256
    from evidence
    where evidence.transaction_id = :'id'::text
        and evidence.verdict <> 'genuine'
    order by evidence.received_at desc, evidence.sha256
    limit 10
),
wanted as materialized (
    select named.sha256, hash_of_letters(named.sha256) as hash
    from (
        select :'id'::text as sha256
        union
        select break_evidence.sha256 from break_evidence
        union
        select encode(unproven.sha256, 'hex') from unproven
    ) as named
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
        phrase('explain.evidence_is', jsonb_build_object('id', item.sha256, 'facts', jsonb_build_array(
            phrase('word.' || item.kind),
            case when item.reason = '""' then phrase('word.' || item.verdict) else phrase('explain.with_reason',
                jsonb_build_object('what', phrase('word.' || item.verdict), 'why', item.reason)) end,
            phrase('explain.transaction', 'id', item.transaction_id),
            phrase('explain.from', jsonb_build_object('source', phrase('word.' || item.source))),
            phrase('explain.received', 'at', rfc3339(item.received_at))
        ))) as text
    from item
    union all
    select
        item.sha256, 2,
        phrase('explain.handed_over', jsonb_build_object('at', rfc3339(uploads.received_at), 'by', jsonb_build_array(
            phrase('word.' || uploads.source), phrase('explain.user', 'id', nullif(uploads.user_id, '')),
            phrase('explain.device', 'id', nullif(uploads.device_id, '')), phrase('explain.for_order', 'id', nullif(uploads.order_id, ''))
        )))
    from item
    inner join uploads on uploads.sha256 = item.hash
    union all
    select
        item.sha256, 3,
        phrase('explain.reevaluated', jsonb_build_object('at', rfc3339(batches.known_at), 'facts', jsonb_build_array(
            case when judgements.reason = '""' then phrase('word.' || judgements.verdict) else phrase('explain.with_reason',
                jsonb_build_object('what', phrase('word.' || judgements.verdict), 'why', judgements.reason)) end,
            phrase('explain.known_as', 'id', encode(judgements.replaced_by, 'hex')),
            phrase('explain.by_reader', 'reader', left(judgements.reader_sha256, 12),
                'roots', left(readers.anchors_sha256, 12), 'version', readers.version::text)
        )))
    from item
    inner join judgements on judgements.sha256 = item.hash
    inner join batches on batches.batch_id = judgements.batch_id
    inner join readers on readers.reader_sha256 = judgements.reader_sha256
    union all
    select
        kept.sha256, 4,
        phrase('explain.quarantined', jsonb_build_object('id', kept.sha256, 'facts', jsonb_build_array(
            coalesce(phrase('word.' || nullif(kept.kind, '')), phrase('explain.not_readable')),
            phrase('explain.with_reason',
                jsonb_build_object('what', phrase('word.' || kept.verdict), 'why', kept.reason)),
            phrase('explain.from', jsonb_build_object('source', phrase('word.' || kept.source))),
            phrase('explain.received', 'at', rfc3339(kept.received_at))
        )))
    from wanted
    inner join quarantined_items as kept on kept.sha256 = wanted.sha256
    where kept.released_batch_id is null
        and kept.batch_id is not null
)
select text::text, place in (2, 3) as is_detail
from upload
order by sha256, place, text;
