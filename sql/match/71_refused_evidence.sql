-- purpose: orders that claim evidence which is not genuine, or genuine but of another app: they name its hash, or an
--          upload of ours ties it to the order or its user. What came any other way says nothing about anybody.
-- grain:   one refused candidate per order and piece of evidence
insert into match_candidate (rung, order_id, evidence_sha256, refusal, created_at)
with claimed as (
    select orders.order_id, evidence.sha256
    from in_judged_evidence as evidence
    inner join in_orders as orders on orders.evidence_sha256 = evidence.sha256
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
    union
    -- Or the hash of the text that it was posted in, which is no evidence itself.
    select orders.order_id, evidence.sha256
    from in_judged_evidence as evidence
    inner join evidence_links on evidence_links.sha256 = evidence.sha256
    inner join in_orders as orders on orders.evidence_sha256 = evidence_links.parent_sha256
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
        and evidence_links.batch_id is not null
    union
    select orders.order_id, evidence.sha256
    from in_judged_evidence as evidence
    inner join in_uploads as uploads on uploads.sha256 = evidence.sha256
    inner join in_orders as orders on orders.order_id = uploads.order_id
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
        and upload_concerns(
            uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id
        )
    union
    select orders.order_id, evidence.sha256
    from in_judged_evidence as evidence
    inner join in_orders as orders on orders.transaction_id = evidence.transaction_id
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
        and exists (
            select 1
            from in_uploads as uploads
            where uploads.sha256 = evidence.sha256
                and upload_concerns(
                    uploads.source, uploads.user_id, uploads.order_id, orders.order_id, orders.user_id
                )
        )
        and not exists (
            select 1
            from in_match_keys as match_keys
            where match_keys.key = evidence.transaction_id
                and match_keys.kind = 'transaction_id'
                and match_keys.side = 'charge'
        )
)
select
    'M5',
    match_order.order_id,
    evidence.sha256,
    case
        when evidence.verdict = 'forged' then 'FORGED_SIGNATURE'
        when evidence.reason like 'app_id%' then 'APP_ID_DIFF'
        when evidence.reason like 'environment%' then 'FORGED_SIGNATURE'
        else 'BUNDLE_DIFF'
    end,
    match_order.created_at
from claimed
inner join in_judged_evidence as evidence on evidence.sha256 = claimed.sha256
inner join match_order on match_order.order_id = claimed.order_id
-- A forgery beside something that Apple signed for another app says less than that.
left join (
    select distinct claimed.order_id
    from claimed
    inner join in_judged_evidence as evidence on evidence.sha256 = claimed.sha256
    where evidence.verdict = 'foreign'
        and evidence.reason not like 'environment%'
) as signed_elsewhere on signed_elsewhere.order_id = claimed.order_id
where (evidence.verdict = 'foreign' or signed_elsewhere.order_id is null)
    and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id);
