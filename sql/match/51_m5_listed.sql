-- purpose: rung M5 on receipts and answers: of the purchases that one lists an order without a charge claims those of its
--          product alone, made inside the window after it, else the nearest; not what the same user's other orders hold.
-- parameters: late, skew, ask_to_buy_window (intervals)
-- grain:   one candidate per order and charge
insert into match_candidate (
    rung, order_id, charge_id, original_transaction_id, evidence_sha256, refusal, created_at, purchased_at
)
with reached as (
    select
        match_evidence.sha256,
        match_order.order_id,
        match_order.created_at,
        match_charge.charge_id,
        match_charge.original_transaction_id,
        match_charge.purchased_at,
        claim_refusal(
            match_order.bundle_id, match_order.environment, match_order.product_id, match_order.user_id,
            match_order.created_at, match_charge.bundle_id, match_charge.environment, match_charge.product_id,
            match_charge.owner, match_charge.purchased_at, match_charge.is_renewal, :'late'::interval
        ) as refusal,
        match_charge.purchased_at between match_order.created_at - :'skew'::interval
            and match_order.created_at + :'ask_to_buy_window'::interval as is_in_window,
        greatest(
            match_charge.purchased_at - match_order.created_at, match_order.created_at - match_charge.purchased_at
        ) as distance
    from match_evidence
    inner join match_order on match_order.order_id = match_evidence.order_id
    inner join match_charge
        on match_charge.charge_id = match_evidence.charge_id
        and match_charge.product_id = match_order.product_id
        and match_charge.bundle_id = match_order.bundle_id
    left join match_decided as held on held.charge_id = match_charge.charge_id
    left join match_order as holder on holder.order_id = held.order_id
    where match_evidence.is_listed
        and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id)
        and coalesce(holder.user_id <> match_order.user_id, true)
),
placed as (
    select
        reached.*,
        bool_or(reached.is_in_window) over (partition by reached.order_id) as has_window,
        row_number() over (partition by reached.order_id order by reached.distance, reached.charge_id) as place
    from reached
)
select
    'M5', placed.order_id, placed.charge_id, placed.original_transaction_id, placed.sha256, placed.refusal,
    placed.created_at, placed.purchased_at
from placed
where placed.is_in_window
    or (not placed.has_window and placed.place = 1);
