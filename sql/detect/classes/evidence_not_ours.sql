-- purpose: FORGED_SIGNATURE for evidence that an upload ties to a user and no order claims; BUNDLE_DIFF and APP_ID_DIFF for
--          evidence that Apple signed for another app, except in a storm. The rest is only counted in the quarantine.
-- parameters: storm_above (bigint): more items from one source on one day become one FORGED_STORM
-- grain:   one finding per evidence item that is not nested in another
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
-- All evidence that is forged or foreign, with its container.
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
    select item.*, coalesce(item.transaction_id, carried.transaction_id) as stated_transaction_id
    from item
    left join carried on carried.sha256 = item.sha256
    where item.verdict = 'forged'
        or item.reason ->> 'key' is distinct from 'word.environment'
),
upload as materialized (
    select uploads.sha256, uploads.source, uploads.user_id, uploads.order_id, uploads.received_at
    from candidate
    inner join in_uploads as uploads on uploads.sha256 = candidate.sha256
),
-- Genuine purchases named by the candidates.
named as materialized (
    select distinct
        candidate.sha256, transactions.transaction_id, transactions.original_transaction_id, transactions.bundle_id,
        transactions.environment
    from candidate
    inner join in_transactions as transactions on transactions.transaction_id = candidate.stated_transaction_id
),
bought as materialized (
    select named.sha256, charges.original_transaction_id, charges.charge_id
    from named
    inner join in_charges as charges using (original_transaction_id, bundle_id, environment)
    where named.transaction_id = any(charges.transaction_ids)
),
matched as materialized (
    select bought.sha256, matches.order_id
    from bought
    inner join in_matches as matches using (original_transaction_id, charge_id)
),
holder as materialized (
    select matched.sha256, orders.order_id, orders.user_id
    from matched
    inner join in_orders as orders on orders.order_id = matched.order_id
),
-- Candidates without a finding here: they belong to another finding, or are no difference. With wrong roots all evidence is a
-- candidate, so each branch joins by keys.
excluded_item as materialized (
    -- Further copies of evidence named by an order belong to that order's finding. A forgery beside a foreign item does not.
    select candidate.sha256
    from candidate
    inner join refused_order
        on refused_order.transaction_id = candidate.stated_transaction_id
        and refused_order.has_evidence
        and refused_order.is_forged = (candidate.verdict = 'forged')
    inner join upload
        on upload.sha256 = candidate.sha256
        and upload_concerns(upload.source, upload.user_id, upload.order_id, refused_order.order_id, refused_order.user_id)
    union
    -- Evidence uploaded with an order, or named by it, whose genuine purchase was refused belongs to that order's finding.
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
    -- A genuine purchase of the user makes failed copies of it harmless, however many there are.
    select holder.sha256
    from holder
    inner join upload
        on upload.sha256 = holder.sha256
        and upload_concerns(upload.source, upload.user_id, upload.order_id, holder.order_id, holder.user_id)
    union
    -- Evidence of a refused claim belongs to that claim's finding, and so does its container.
    select refused.evidence_sha256
    from refused
    union
    select evidence_links.parent_sha256
    from refused
    inner join evidence_links on evidence_links.sha256 = refused.evidence_sha256
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
    select items.sha256, items.source, items.day from untied_evidence() as items
),
days as materialized (
    select quarantined.source, quarantined.day, quarantined.item_count from quarantine_days() as quarantined
)
select
    case
        when evidence.verdict = 'forged' then 'FORGED_SIGNATURE'
        when evidence.reason ->> 'key' = 'word.app_id' then 'APP_ID_DIFF'
        else 'BUNDLE_DIFF'
    end,
    'evidence:' || encode(evidence.sha256, 'hex'),
    nullif(evidence.bundle_id, ''),
    nullif(evidence.environment, ''),
    evidence.stated_transaction_id,
    delivered.user_id,
    -- A forged date proves nothing: dates before the App Store existed or after the upload are ignored.
    case
        when evidence.signed_at between '2008-07-10T00:00:00Z' and least(evidence.received_at, delivered.received_at)
            then evidence.signed_at
        else least(evidence.received_at, delivered.received_at)
    end,
    phrase('detail.evidence_is', jsonb_build_object(
        'id', encode(evidence.sha256, 'hex'), 'verdict', phrase('word.' || evidence.verdict),
        'reason', evidence.reason
    ))
from candidate as evidence
left join delivered on delivered.sha256 = evidence.sha256
left join untied on untied.sha256 = evidence.sha256
left join days on days.source = untied.source and days.day = untied.day
where (untied.sha256 is null or (evidence.verdict = 'foreign' and coalesce(days.item_count, 0) <= :'storm_above'::bigint))
    and not exists (select 1 from excluded_item where excluded_item.sha256 = evidence.sha256);
