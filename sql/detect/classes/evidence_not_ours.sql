-- purpose: FORGED_SIGNATURE of evidence that an upload of ours ties to somebody and no order claims; BUNDLE_DIFF and
--          APP_ID_DIFF, which Apple signed, of all but a storm. The rest is a figure of the quarantine.
-- parameters: storm_above (bigint): more from one source on one day are one FORGED_STORM
-- grain:   one finding per piece of evidence that is not part of another
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, user_id, breaks_at, detail
)
with refused as materialized (
    select refused_claims.order_id, refused_claims.class, refused_claims.evidence_sha256, refused_claims.charge_id
    from in_refused_claims as refused_claims
    where refused_claims.evidence_sha256 is not null
        or refused_claims.charge_id is not null
),
refused_order as materialized (
    select
        orders.order_id, orders.user_id, orders.transaction_id, orders.evidence_sha256,
        refused.class = 'FORGED_SIGNATURE' as is_forged, refused.evidence_sha256 is not null as has_evidence,
        refused.charge_id is not null as is_genuine
    from refused
    inner join in_orders as orders on orders.order_id = refused.order_id
),
claimed_elsewhere as materialized (
    select refused.evidence_sha256
    from refused
    where refused.evidence_sha256 is not null
    union
    select evidence_links.parent_sha256
    from refused
    inner join evidence_links on evidence_links.sha256 = refused.evidence_sha256
),
-- All that is not ours, and what it lies in.
item as materialized (
    select
        evidence.sha256, evidence.verdict, evidence.reason, evidence.bundle_id, evidence.environment, evidence.transaction_id,
        evidence.signed_at, evidence.received_at
    from in_judged_evidence as evidence
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
),
part as materialized (
    select item.sha256, evidence_links.parent_sha256, evidence_links.batch_id, item.transaction_id
    from item
    inner join evidence_links on evidence_links.sha256 = item.sha256
),
carried as (
    select part.parent_sha256 as sha256, min(part.transaction_id) as transaction_id
    from part
    group by part.parent_sha256
),
candidate as materialized (
    select item.*, coalesce(item.transaction_id, carried.transaction_id) as told_transaction_id
    from item
    left join carried on carried.sha256 = item.sha256
    where item.verdict = 'forged'
        or item.reason not like 'environment%'
),
upload as materialized (
    select uploads.sha256, uploads.source, uploads.user_id, uploads.order_id, uploads.received_at
    from candidate
    inner join in_uploads as uploads on uploads.sha256 = candidate.sha256
),
-- Whose the purchases are that candidates name.
named as materialized (
    select distinct
        candidate.sha256, transactions.transaction_id, transactions.original_transaction_id, transactions.bundle_id,
        transactions.environment
    from candidate
    inner join in_transactions as transactions on transactions.transaction_id = candidate.told_transaction_id
),
bought as materialized (
    select named.sha256, charges.original_transaction_id, charges.charge_id
    from named
    inner join in_charges as charges
        on charges.original_transaction_id = named.original_transaction_id
        and charges.bundle_id = named.bundle_id
        and charges.environment = named.environment
        and named.transaction_id = any(charges.transaction_ids)
),
held as materialized (
    select bought.sha256, matches.order_id
    from bought
    inner join in_matches as matches
        on matches.original_transaction_id = bought.original_transaction_id
        and matches.charge_id = bought.charge_id
),
holder as materialized (
    select held.sha256, orders.order_id, orders.user_id
    from held
    inner join in_orders as orders on orders.order_id = held.order_id
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
    inner join upload
        on upload.sha256 = candidate.sha256
        and upload_concerns(upload.source, upload.user_id, upload.order_id, refused_order.order_id, refused_order.user_id)
    union
    -- So is what came with an order, or what it names, of which the genuine purchase was refused.
    select upload.sha256
    from upload
    inner join refused_order
        on refused_order.order_id = upload.order_id
        and refused_order.is_genuine
    where upload_concerns(upload.source, upload.user_id, upload.order_id, refused_order.order_id, refused_order.user_id)
    union
    select candidate.sha256
    from candidate
    inner join refused_order
        on refused_order.evidence_sha256 = candidate.sha256
        and refused_order.is_genuine
    union
    select part.sha256
    from part
    inner join refused_order
        on refused_order.evidence_sha256 = part.parent_sha256
        and refused_order.is_genuine
    where part.batch_id is not null
    union
    -- What somebody bought in truth is no forgery of theirs, however often a copy of it failed.
    select holder.sha256
    from holder
    inner join upload
        on upload.sha256 = holder.sha256
        and upload_concerns(upload.source, upload.user_id, upload.order_id, holder.order_id, holder.user_id)
    union
    select claimed_elsewhere.evidence_sha256
    from claimed_elsewhere
    union
    select part.sha256
    from part
    inner join in_judged_evidence as parent on parent.sha256 = part.parent_sha256
    where parent.verdict in ('forged', 'foreign')
),
delivered as (
    select
        upload.sha256, min(upload.received_at) as received_at,
        min(upload.user_id) filter (where upload.user_id <> '' and upload.source in ('client', 'import')) as user_id
    from upload
    group by upload.sha256
),
untied as materialized (
    select told_untied.sha256, told_untied.source, told_untied.day from untied_evidence() as told_untied
),
days as materialized (
    select told_days.source, told_days.day, told_days.item_count from quarantine_days() as told_days
)
select
    case
        when evidence.verdict = 'forged' then 'FORGED_SIGNATURE'
        when evidence.reason like 'app_id%' then 'APP_ID_DIFF'
        else 'BUNDLE_DIFF'
    end,
    'evidence:' || encode(evidence.sha256, 'hex'),
    nullif(evidence.bundle_id, ''),
    nullif(evidence.environment, ''),
    evidence.told_transaction_id,
    delivered.user_id,
    -- A forged date proves nothing: one before the App Store sold, or after the upload, is not taken.
    case
        when evidence.signed_at between '2008-07-10T00:00:00Z' and least(evidence.received_at, delivered.received_at)
            then evidence.signed_at
        else least(evidence.received_at, delivered.received_at)
    end,
    'evidence ' || encode(evidence.sha256, 'hex') || ' is ' || evidence.verdict || ': ' || evidence.reason
from candidate as evidence
left join delivered on delivered.sha256 = evidence.sha256
left join untied on untied.sha256 = evidence.sha256
left join days on days.source = untied.source and days.day = untied.day
where (untied.sha256 is null or (evidence.verdict = 'foreign' and coalesce(days.item_count, 0) <= :'storm_above'::bigint))
    and not exists (select 1 from told where told.sha256 = evidence.sha256);
