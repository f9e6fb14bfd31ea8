-- purpose: rung M5: the order carries the hash of evidence that decodes to the charge, or the evidence was uploaded with its order id.
-- parameters: late (interval)
-- grain:   one candidate per order and charge; what a receipt lists beside others is for 51_m5_listed.sql
insert into match_candidate (
    rung, order_id, charge_id, original_transaction_id, evidence_sha256, refusal, created_at, purchased_at
)
select
    'M5',
    match_order.order_id,
    match_charge.charge_id,
    match_charge.original_transaction_id,
    match_evidence.sha256,
    claim_refusal(
        match_order.bundle_id, match_order.environment, match_order.product_id, match_order.user_id,
        match_order.created_at, match_charge.bundle_id, match_charge.environment, match_charge.product_id,
        match_charge.owner, match_charge.purchased_at, match_charge.is_renewal, :'late'::interval
    ),
    match_order.created_at,
    match_charge.purchased_at
from match_evidence
inner join match_order on match_order.order_id = match_evidence.order_id
inner join match_charge on match_charge.charge_id = match_evidence.charge_id
where not match_evidence.is_listed
    -- A pair that a higher rung decided says nothing new; another charge of a paid order is a second payment.
    and not exists (
        select 1
        from match_decided
        where match_decided.order_id = match_order.order_id
            and match_decided.charge_id = match_charge.charge_id
    );
