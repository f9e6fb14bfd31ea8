-- purpose: FORGED_SIGNATURE, BUNDLE_DIFF and APP_ID_DIFF of evidence that no order claims.
-- grain:   one finding per piece of evidence that is not part of another
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, user_id, breaks_at, detail
)
with refused_order as (
    select orders.transaction_id, refused_claims.class = 'FORGED_SIGNATURE' as is_forged
    from refused_claims
    inner join orders on orders.order_id = refused_claims.order_id
    where refused_claims.evidence_sha256 is not null
),
claimed_elsewhere as (
    select refused_claims.evidence_sha256
    from refused_claims
    where refused_claims.evidence_sha256 is not null
    union
    select evidence_links.parent_sha256
    from refused_claims
    inner join evidence_links on evidence_links.sha256 = refused_claims.evidence_sha256
),
carried as (
    select evidence_links.parent_sha256 as sha256, min(inner_item.transaction_id) as transaction_id
    from evidence as inner_item
    inner join evidence_links on evidence_links.sha256 = inner_item.sha256
    where inner_item.verdict in ('forged', 'foreign')
    group by evidence_links.parent_sha256
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
    coalesce(evidence.transaction_id, carried.transaction_id),
    (select min(sightings.user_id) from sightings where sightings.sha256 = evidence.sha256 and sightings.user_id <> ''),
    -- A forged date proves nothing: one before the App Store sold, or after the upload, is not taken.
    case
        when evidence.signed_at between '2008-07-10T00:00:00Z' and delivered.received_at then evidence.signed_at
        else delivered.received_at
    end,
    'evidence ' || evidence.sha256 || ' is ' || evidence.verdict || ': ' || evidence.reason
from evidence
left join carried on carried.sha256 = evidence.sha256
cross join lateral (
    select least(evidence.received_at, min(sightings.received_at)) as received_at
    from sightings
    where sightings.sha256 = evidence.sha256
) as delivered
where evidence.verdict in ('forged', 'foreign')
    and (evidence.verdict = 'forged' or evidence.reason not like 'environment%')
    and not exists (select from claimed_elsewhere where claimed_elsewhere.evidence_sha256 = evidence.sha256)
    -- Further copies of what an order names are that order's difference, too; a forgery beside a foreign one is not.
    and not exists (
        select
        from refused_order
        where refused_order.transaction_id = coalesce(evidence.transaction_id, carried.transaction_id)
            and refused_order.is_forged = (evidence.verdict = 'forged')
    )
    and not exists (
        select
        from evidence_links
        inner join evidence as parent on parent.sha256 = evidence_links.parent_sha256
        where evidence_links.sha256 = evidence.sha256
            and parent.verdict in ('forged', 'foreign')
    );
