-- purpose: signed evidence behind some orders, charges and breaks, with its verdict.
-- parameters: order_ids, charge_ids, break_ids (text[]), rows (bigint)
-- grain:   one row per evidence item
with charged as materialized (
    select charges.original_transaction_id, charges.charge_id
    from charges
    where charges.charge_id = any(:'charge_ids'::text[])
),
hash as (
    select transactions.evidence_sha256 as sha256
    from charged
    inner join transactions using (original_transaction_id, charge_id)
    union
    select orders.evidence_sha256
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join orders on orders.order_id = wanted.order_id
    where orders.evidence_sha256 is not null
    union
    -- Claimed evidence that is not genuine, even if only an upload of the order's user leads to it.
    select refused.evidence_sha256
    from (
        select refused_claims.order_id, refused_claims.evidence_sha256 from refused_claims
        union all
        select ended_refused_claims.order_id, ended_refused_claims.evidence_sha256 from ended_refused_claims
    ) as refused
    where refused.order_id = any(:'order_ids'::text[])
        and refused.evidence_sha256 is not null
    union
    select uploads.sha256
    from uploads
    where uploads.order_id = any(:'order_ids'::text[])
    union
    select hash_of_letters(split_part(break_events.subject_id, ':', 2))
    from break_events
    where break_events.break_id = any(:'break_ids'::text[])
        and break_events.subject_id like 'evidence:%'
),
upload as materialized (select hash.sha256 from hash order by hash.sha256 limit :'rows'::bigint)
select encode(evidence.sha256, 'hex') as sha256, evidence.kind, evidence.verdict, evidence.reason, evidence.environment,
    evidence.transaction_id, evidence.source, rfc3339(evidence.received_at) as received_at
from upload
inner join judged_evidence as evidence on evidence.sha256 = upload.sha256
order by evidence.received_at, evidence.sha256;
