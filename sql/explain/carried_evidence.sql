-- purpose: the evidence whose hash an order carries, with its verdict, and whether evidence was uploaded for the order.
-- parameters: order_id (text)
-- grain:   one row; the verdict is null for unknown evidence
select
    encode(orders.evidence_sha256, 'hex') as sha256,
    (
        select max(evidence.verdict)
        from in_judged_evidence as evidence
        where evidence.sha256 = orders.evidence_sha256
            -- The order may carry the hash of the text in which a notification was posted.
            or evidence.sha256 in (
                select evidence_links.sha256
                from evidence_links
                where evidence_links.parent_sha256 = orders.evidence_sha256
                    and evidence_links.batch_id is not null
            )
    ) as verdict,
    exists (select 1 from in_uploads as uploads where uploads.order_id = orders.order_id) as is_uploaded
from in_orders as orders
where orders.order_id = :'order_id'::text;
