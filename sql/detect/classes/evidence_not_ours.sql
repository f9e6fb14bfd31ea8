-- purpose: FORGED_SIGNATURE of evidence that an upload of ours ties to somebody and no order claims; BUNDLE_DIFF and
--          APP_ID_DIFF, which Apple signed, of all but a storm. The rest is a figure of the quarantine.
-- parameters: storm_above (bigint): more from one source on one day are one FORGED_STORM
-- grain:   one finding per piece of evidence that is not part of another
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, user_id, breaks_at, detail
)
with refused_order as (
    select
        orders.order_id, orders.user_id, orders.transaction_id, orders.evidence_sha256,
        refused_claims.class = 'FORGED_SIGNATURE' as is_forged, refused_claims.evidence_sha256 is not null as has_evidence,
        refused_claims.charge_id is not null as is_genuine
    from in_refused_claims as refused_claims
    inner join in_orders as orders on orders.order_id = refused_claims.order_id
    where refused_claims.evidence_sha256 is not null
        or refused_claims.charge_id is not null
),
claimed_elsewhere as (
    select refused_claims.evidence_sha256
    from in_refused_claims as refused_claims
    where refused_claims.evidence_sha256 is not null
    union
    select evidence_links.parent_sha256
    from in_refused_claims as refused_claims
    inner join evidence_links on evidence_links.sha256 = refused_claims.evidence_sha256
),
-- What lies in what, of all that is not ours.
part as materialized (
    select evidence_links.sha256, evidence_links.parent_sha256, inner_item.transaction_id
    from in_judged_evidence as inner_item
    inner join evidence_links on evidence_links.sha256 = inner_item.sha256
    where inner_item.first_verdict <> 'genuine'
        and inner_item.verdict in ('forged', 'foreign')
),
carried as (
    select part.parent_sha256 as sha256, min(part.transaction_id) as transaction_id
    from part
    group by part.parent_sha256
),
candidate as materialized (
    select evidence.*, coalesce(evidence.transaction_id, carried.transaction_id) as told_transaction_id
    from in_judged_evidence as evidence
    left join carried on carried.sha256 = evidence.sha256
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
        and (evidence.verdict = 'forged' or evidence.reason not like 'environment%')
),
-- What is somebody's difference already, or none at all. Wrong roots make all evidence a candidate: each is joined by keys.
told as materialized (
    -- Further copies of what an order names are that order's difference, too; a forgery beside a foreign one is not.
    select candidate.sha256
    from candidate
    inner join refused_order
        on refused_order.transaction_id = candidate.told_transaction_id
        and refused_order.has_evidence
        and refused_order.is_forged = (candidate.verdict = 'forged')
    inner join in_uploads as uploads
        on uploads.sha256 = candidate.sha256
        and upload_concerns(
            uploads.source, uploads.user_id, uploads.order_id, refused_order.order_id, refused_order.user_id
        )
    union
    -- So is what came with an order, or what it names, of which the genuine purchase was refused.
    select candidate.sha256
    from candidate
    inner join in_uploads as uploads on uploads.sha256 = candidate.sha256
    inner join refused_order
        on refused_order.order_id = uploads.order_id
        and refused_order.is_genuine
    where upload_concerns(
            uploads.source, uploads.user_id, uploads.order_id, refused_order.order_id, refused_order.user_id
        )
    union
    select candidate.sha256
    from candidate
    inner join refused_order
        on refused_order.evidence_sha256 = candidate.sha256
        and refused_order.is_genuine
    union
    select candidate.sha256
    from candidate
    inner join evidence_links on evidence_links.sha256 = candidate.sha256
    inner join refused_order
        on refused_order.evidence_sha256 = evidence_links.parent_sha256
        and refused_order.is_genuine
    where evidence_links.batch_id is not null
    union
    -- What somebody bought in truth is no forgery of theirs, however often a copy of it failed.
    select candidate.sha256
    from candidate
    inner join in_match_keys as match_keys
        on match_keys.key = candidate.told_transaction_id
        and match_keys.kind = 'transaction_id'
        and match_keys.side = 'charge'
    inner join in_matches as matches
        on matches.original_transaction_id = match_keys.route
        and matches.charge_id = match_keys.id
    inner join in_orders as orders on orders.order_id = matches.order_id
    inner join in_uploads as uploads
        on uploads.sha256 = candidate.sha256
        and upload_concerns(
            uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id
        )
    union
    select claimed_elsewhere.evidence_sha256
    from claimed_elsewhere
    union
    select part.sha256
    from part
    inner join in_judged_evidence as parent on parent.sha256 = part.parent_sha256
    where parent.verdict in ('forged', 'foreign')
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
    evidence.told_transaction_id,
    (
        select min(uploads.user_id)
        from in_uploads as uploads
        where uploads.sha256 = evidence.sha256
            and uploads.user_id <> ''
            and uploads.source in ('client', 'import')
    ),
    -- A forged date proves nothing: one before the App Store sold, or after the upload, is not taken.
    case
        when evidence.signed_at between '2008-07-10T00:00:00Z' and delivered.received_at then evidence.signed_at
        else delivered.received_at
    end,
    'evidence ' || evidence.sha256 || ' is ' || evidence.verdict || ': ' || evidence.reason
from candidate as evidence
left join untied_evidence() as untied on untied.sha256 = evidence.sha256
left join quarantine_days() as days on days.source = untied.source and days.day = untied.day
cross join lateral (
    select least(evidence.received_at, min(uploads.received_at)) as received_at
    from in_uploads as uploads
    where uploads.sha256 = evidence.sha256
) as delivered
where (untied.sha256 is null or (evidence.verdict = 'foreign' and coalesce(days.item_count, 0) <= :'storm_above'::bigint))
    and not exists (select 1 from told where told.sha256 = evidence.sha256);
