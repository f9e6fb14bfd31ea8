-- purpose: export of evidence: every item Apple or a client handed over, nested signed items included.
-- parameters: as_of (timestamptz)
-- grain:   one row per item (by SHA-256)
with delivered as (
    select sightings.sha256, min(sightings.received_at) as received_at
    from sightings
    inner join batches on batches.batch_id = sightings.batch_id
    where batches.known_at <= :'as_of'::timestamptz
    group by sightings.sha256
),
container as (
    select
        evidence_links.sha256, min(evidence_links.parent_sha256) as parent_sha256,
        min(nullif(parent.bundle_id, '')) as bundle_id
    from evidence_links
    inner join evidence as parent on parent.sha256 = evidence_links.parent_sha256
    group by evidence_links.sha256
)
select
    evidence.sha256,
    evidence.kind,
    coalesce(nullif(evidence.bundle_id, ''), container.bundle_id, '') as bundle_id,
    evidence.environment,
    evidence.verdict,
    evidence.reason,
    coalesce(earliest.source, evidence.source) as source,
    rfc3339(coalesce(earliest.received_at, evidence.received_at)) as received_at,
    evidence.transaction_id,
    evidence.original_transaction_id,
    evidence.charge_id,
    container.parent_sha256,
    rfc3339(evidence.signed_at) as signed_at
from evidence
inner join batches on batches.batch_id = evidence.batch_id
left join container on container.sha256 = evidence.sha256
left join delivered on delivered.sha256 = evidence.sha256
left join lateral (
    select sightings.received_at, min(sightings.source) as source
    from sightings
    where sightings.sha256 = evidence.sha256
        and sightings.received_at = delivered.received_at
        and (sightings.received_at, sightings.source) < (evidence.received_at, evidence.source)
    group by sightings.received_at
) as earliest on true
where batches.known_at <= :'as_of'::timestamptz
order by evidence.sha256;
