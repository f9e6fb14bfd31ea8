-- purpose: what orders claim that is no purchase of ours: evidence that is not genuine, or genuine but of another app, whose hash they
--          name, or which an upload of ours ties to the order or its user (what came any other way says nothing about anybody);
--          and a transaction that Apple knows in neither environment.
-- note:    match_named leaves out benign duplicates, which are no match_order either.
-- grain:   one row per order and piece of evidence, and per order that names such a transaction, with the rung of the claim
insert into match_unproven (order_id, evidence_sha256, rung)
with unproven as materialized (
    select evidence.sha256, evidence.transaction_id
    from in_judged_evidence as evidence
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
),
claimed as (
    select orders.order_id, unproven.sha256, 'M5' as rung
    from unproven
    inner join in_orders as orders on orders.evidence_sha256 = unproven.sha256
    union all
    -- Or the hash of the text that it was posted in, which is no evidence itself.
    select orders.order_id, unproven.sha256, 'M5' as rung
    from unproven
    inner join evidence_links on evidence_links.sha256 = unproven.sha256
    inner join in_orders as orders on orders.evidence_sha256 = evidence_links.parent_sha256
    where evidence_links.batch_id is not null
    union all
    select orders.order_id, unproven.sha256, 'M5' as rung
    from unproven
    inner join in_uploads as uploads on uploads.sha256 = unproven.sha256
    inner join in_orders as orders on orders.order_id = uploads.order_id
    where upload_concerns(uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id)
    union all
    select orders.order_id, unproven.sha256, 'M1' as rung
    from unproven
    inner join in_orders as orders on orders.transaction_id = unproven.transaction_id
    where exists (
            select 1
            from in_uploads as uploads
            where uploads.sha256 = unproven.sha256
                and upload_concerns(
                    uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id
                )
        )
        and not exists (select 1 from match_named where match_named.order_id = orders.order_id)
)
select match_order.order_id, claimed.sha256, min(claimed.rung)
from claimed
inner join match_order on match_order.order_id = claimed.order_id
group by match_order.order_id, claimed.sha256
union all
select match_order.order_id, null, 'M1'
from match_order
inner join in_api_misses as api_misses
    on api_misses.bundle_id = match_order.bundle_id
    and api_misses.transaction_id = match_order.transaction_id
where not exists (select 1 from match_named where match_named.order_id = match_order.order_id);
