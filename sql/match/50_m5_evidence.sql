-- purpose: rung M5: the order carries the hash of evidence that decodes to the charge, or the evidence was uploaded with its order id.
-- parameters: late (interval)
-- grain:   one candidate per order and charge
insert into match_candidate (
    rung, order_id, charge_id, original_transaction_id, evidence_sha256, refusal, created_at, purchased_at
)
with reached as (
    select order_key.id as order_id, evidence.charge_id, evidence.sha256
    from match_keys as order_key
    inner join evidence on evidence.sha256 = order_key.key
    inner join orders on orders.order_id = order_key.id
    where order_key.kind = 'evidence'
        and order_key.side = 'order'
        and orders.evidence_sha256 = order_key.key
        and evidence.charge_id is not null
    union
    select charge_key.key, charge_key.id, null
    from match_keys as charge_key
    where charge_key.kind = 'order_id'
        and charge_key.side = 'charge'
)
select
    'M5',
    match_order.order_id,
    match_charge.charge_id,
    match_charge.original_transaction_id,
    min(reached.sha256),
    case
        when match_charge.bundle_id <> match_order.bundle_id then 'BUNDLE_DIFF'
        when match_charge.environment <> match_order.environment
            then case match_charge.environment when 'Production' then 'PROD_IN_SANDBOX' else 'SANDBOX_IN_PROD' end
        when match_charge.owner <> match_order.user_id then 'USER_DIFF'
        when match_charge.product_id <> match_order.product_id then 'PRODUCT_DIFF'
        when match_charge.purchased_at < match_order.created_at - :'late'::interval then 'LATE_VERIFICATION'
    end,
    match_order.created_at,
    match_charge.purchased_at
from reached
inner join match_order on match_order.order_id = reached.order_id
inner join match_charge on match_charge.charge_id = reached.charge_id
-- A pair that a higher rung decided says nothing new; another charge of a paid order is a second payment.
where not exists (
    select
    from match_decided
    where match_decided.order_id = match_order.order_id
        and match_decided.charge_id = match_charge.charge_id
)
group by
    match_order.order_id, match_order.bundle_id, match_order.environment, match_order.user_id, match_order.product_id,
    match_order.created_at, match_charge.charge_id, match_charge.original_transaction_id, match_charge.bundle_id,
    match_charge.environment, match_charge.owner, match_charge.product_id, match_charge.purchased_at;
