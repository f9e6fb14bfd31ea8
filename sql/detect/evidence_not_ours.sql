-- purpose: FORGED_SIGNATURE, BUNDLE_DIFF and APP_ID_DIFF of evidence that no order claims.
-- grain:   one finding per piece of evidence that is not part of another
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, user_id, breaks_at, detail
)
with claimed_elsewhere as (
    select refused_claims.evidence_sha256
    from refused_claims
    where refused_claims.evidence_sha256 is not null
)
select
    case
        when evidence.verdict = 'forged' then 'FORGED_SIGNATURE'
        when evidence.reason like 'app_id%' then 'APP_ID_DIFF'
        else 'BUNDLE_DIFF'
    end,
    'evidence:' || evidence.sha256,
    nullif(evidence.bundle_id, ''),
    nullif(evidence.environment, ''),
    evidence.transaction_id,
    (select min(sightings.user_id) from sightings where sightings.sha256 = evidence.sha256 and sightings.user_id <> ''),
    -- A forged date proves nothing: one before the App Store sold, or after the upload, is not taken.
    case
        when evidence.signed_at between '2008-07-10T00:00:00Z' and delivered.received_at then evidence.signed_at
        else delivered.received_at
    end,
    'evidence ' || evidence.sha256 || ' is ' || evidence.verdict || ': ' || evidence.reason
from evidence
cross join lateral (
    select least(evidence.received_at, min(sightings.received_at)) as received_at
    from sightings
    where sightings.sha256 = evidence.sha256
) as delivered
where evidence.verdict in ('forged', 'foreign')
    and (evidence.verdict = 'forged' or evidence.reason not like 'environment%')
    and not exists (select from claimed_elsewhere where claimed_elsewhere.evidence_sha256 = evidence.sha256)
    -- Further copies of what an order names are that order's difference, too.
    and not exists (
        select
        from orders
        inner join refused_claims on refused_claims.order_id = orders.order_id
        where orders.transaction_id = evidence.transaction_id
            and refused_claims.evidence_sha256 is not null
    )
    and not exists (
        select
        from evidence_links
        inner join evidence as parent on parent.sha256 = evidence_links.parent_sha256
        where evidence_links.sha256 = evidence.sha256
            and parent.verdict in ('forged', 'foreign')
    );
