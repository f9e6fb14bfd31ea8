-- purpose: Apple's newest notifications about some chains, as phrases and as fields.
-- parameters: chains, bundle_ids, environments (text[]): parallel arrays; as_of (timestamptz), rows (bigint): limit
-- grain:   one row per notification, newest last; then one without kind for the older ones
with chain as materialized (
    select named.*
    from unnest(:'chains'::text[], :'bundle_ids'::text[], :'environments'::text[])
        as named (original_transaction_id, bundle_id, environment)
),
notified as materialized (
    select distinct on (notifications.notification_uuid, notifications.signed_at)
        notifications.type, notifications.subtype, notifications.signed_at, notifications.evidence_sha256,
        chain.original_transaction_id, chain.bundle_id, chain.environment
    from chain
    inner join notifications using (original_transaction_id, bundle_id, environment)
    where notifications.signed_at <= :'as_of'::timestamptz
    order by notifications.notification_uuid, notifications.signed_at, notifications.evidence_sha256
),
newest as materialized (
    select notified.*, count(*) over () as notification_count
    from notified
    order by notified.signed_at desc, notified.evidence_sha256 desc
    limit :'rows'::bigint
),
part as materialized (
    select newest.evidence_sha256, evidence_links.sha256
    from newest
    inner join evidence_links on evidence_links.parent_sha256 = newest.evidence_sha256
),
named_purchase as (
    select part.evidence_sha256, min(evidence.transaction_id) as transaction_id
    from part
    inner join evidence on evidence.sha256 = part.sha256
    group by part.evidence_sha256
),
line as (
    select
        'notification' as kind, rfc3339(newest.signed_at) || encode(newest.evidence_sha256, 'hex') as part,
        phrase('explain.notified', jsonb_build_object('at', rfc3339(newest.signed_at), 'facts', jsonb_build_array(
            notification_words(newest.type, newest.subtype), phrase('explain.transaction', 'id', named_purchase.transaction_id)
        ))) as text,
        json_build_object(
            'bundle_id', newest.bundle_id, 'environment', newest.environment,
            'original_transaction_id', newest.original_transaction_id, 'transaction_id', named_purchase.transaction_id,
            'type', newest.type, 'subtype', newest.subtype, 'signed_at', rfc3339(newest.signed_at),
            'evidence_sha256', encode(newest.evidence_sha256, 'hex')
        ) as fields
    from newest
    left join named_purchase on named_purchase.evidence_sha256 = newest.evidence_sha256
    union all
    select null, '', phrase('explain.older_notifications', 'count', (max(newest.notification_count) - count(*))::text), null
    from newest
    having max(newest.notification_count) > count(*)
)
select line.kind, line.text::text, line.fields::text as fields
from line
order by line.kind nulls last, line.part collate "C", line.text::text collate "C";
