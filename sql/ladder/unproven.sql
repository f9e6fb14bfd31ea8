-- purpose: claims that prove no purchase of ours: forged or foreign evidence whose hash an order carries, or that an upload
--          ties to the order or its user; and transaction ids that Apple knows in no environment.
-- grain:   one row per claim; verdict is null for an unknown transaction id
with unproven as materialized (
    select evidence.sha256, evidence.transaction_id, evidence.verdict, evidence.reason ->> 'key' as reason
    from in_judged_evidence as evidence
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
),
claimed as (
    select orders.order_id, unproven.sha256, unproven.verdict, unproven.reason, false as names_transaction
    from unproven
    inner join in_orders as orders on orders.evidence_sha256 = unproven.sha256
    union all
    -- The order may carry the hash of the text in which the evidence was posted.
    select orders.order_id, unproven.sha256, unproven.verdict, unproven.reason, false
    from unproven
    inner join evidence_links on evidence_links.sha256 = unproven.sha256
    inner join in_orders as orders on orders.evidence_sha256 = evidence_links.parent_sha256
    where evidence_links.batch_id is not null
    union all
    select orders.order_id, unproven.sha256, unproven.verdict, unproven.reason, false
    from unproven
    inner join in_uploads as uploads on uploads.sha256 = unproven.sha256
    inner join in_orders as orders on orders.order_id = uploads.order_id
    where upload_concerns(uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id)
    union all
    select orders.order_id, unproven.sha256, unproven.verdict, unproven.reason, true
    from unproven
    inner join in_orders as orders on orders.transaction_id = unproven.transaction_id
    where exists (
            select 1
            from in_uploads as uploads
            where uploads.sha256 = unproven.sha256
                and upload_concerns(uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id)
        )
)
select order_id, sha256, verdict, reason, names_transaction
from claimed
union all
select orders.order_id, null, null, null, true
from in_orders as orders
inner join in_api_misses as api_misses using (bundle_id, transaction_id);
