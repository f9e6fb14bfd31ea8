-- purpose: export of evidence: every item from Apple or a client, including nested signed items and quarantine samples.
-- grain:   one row per item (by SHA-256)
with delivered as (
    select uploads.sha256, min(uploads.received_at) as received_at
    from uploads
    group by uploads.sha256
),
container as (
    select
        evidence_links.sha256, min(encode(evidence_links.parent_sha256, 'hex')) as parent_sha256,
        min(nullif(parent.bundle_id, '')) as bundle_id, min(parent.signed_at) as signed_at
    from evidence_links
    inner join judged_evidence as parent on parent.sha256 = evidence_links.parent_sha256
    group by evidence_links.sha256
)
select
    encode(evidence.sha256, 'hex') collate "C" as sha256,
    coalesce(nullif(evidence.kind, ''), 'other') as kind,
    coalesce(nullif(evidence.bundle_id, ''), container.bundle_id, '') as bundle_id,
    evidence.environment, evidence.verdict, evidence.reason,
    coalesce(earliest.source, evidence.source) as source,
    rfc3339(coalesce(earliest.received_at, evidence.received_at)) as received_at,
    evidence.transaction_id, evidence.original_transaction_id,
    coalesce(charge_aliases.charge_id, evidence.charge_id) as charge_id,
    container.parent_sha256,
    rfc3339(coalesce(evidence.signed_at, container.signed_at)) as signed_at
from judged_evidence as evidence
left join container on container.sha256 = evidence.sha256
left join charge_aliases
    on charge_aliases.original_transaction_id = evidence.original_transaction_id
    and charge_aliases.stated_id = evidence.charge_id
left join delivered on delivered.sha256 = evidence.sha256
left join lateral (
    select uploads.received_at, min(uploads.source) as source
    from uploads
    where uploads.sha256 = evidence.sha256
        and uploads.received_at = delivered.received_at
        and (uploads.received_at, uploads.source) < (evidence.received_at, evidence.source)
    group by uploads.received_at
) as earliest on true
-- Items in a container that became genuine are exported under their own hash.
where evidence.replaced_by is null
union all
select
    kept.sha256, coalesce(nullif(kept.kind, ''), 'other'), kept.bundle_id, kept.environment, kept.verdict, kept.reason, kept.source,
    rfc3339(kept.received_at), null, null, null, null, null
from (
    select distinct on (quarantined_items.sha256) quarantined_items.*
    from quarantined_items
    -- A sample without batch was posted and is not read yet.
    where quarantined_items.batch_id is not null
        and quarantined_items.released_batch_id is null
    order by quarantined_items.sha256, quarantined_items.received_at, quarantined_items.source
) as kept
where not exists (select 1 from evidence where evidence.sha256 = hash_of_letters(kept.sha256))
order by sha256;
