-- purpose: rung M3: the order names the charge's line item, or the original id of a kind that does not renew.
-- parameters: late (interval)
-- grain:   one candidate per order and charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
select
    'M3',
    match_order.order_id,
    match_charge.charge_id,
    match_charge.original_transaction_id,
    claim_refusal(
        match_order.bundle_id, match_order.environment, match_order.product_id, match_order.user_id,
        match_order.created_at, match_charge.bundle_id, match_charge.environment, match_charge.product_id,
        match_charge.owner, match_charge.purchased_at, match_charge.is_renewal, :'late'::interval
    ),
    match_order.created_at,
    match_charge.purchased_at
from in_match_keys as order_key
inner join in_match_keys as charge_key
    on charge_key.key = order_key.key
    and charge_key.kind = order_key.kind
    and charge_key.side = 'charge'
inner join match_order on match_order.order_id = order_key.id
inner join match_charge on match_charge.charge_id = charge_key.id
where order_key.side = 'order'
    -- A pair that a higher rung decided says nothing new; another charge of a paid order is a second payment.
    and not exists (
        select 1
        from match_decided
        where match_decided.order_id = match_order.order_id
            and match_decided.charge_id = match_charge.charge_id
    )
    and (
        (order_key.kind = 'line_item' and match_order.web_order_line_item_id = order_key.key)
        or (
            order_key.kind = 'original'
            and match_order.original_transaction_id = order_key.key
            and match_charge.type <> 'auto_renewable'
        )
    );
