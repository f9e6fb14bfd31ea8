-- purpose: rung M3: the order names the charge's line item, or the original id of a kind that does not renew.
-- parameters: late (interval)
-- grain:   one candidate per order and charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
with naming as (
    select match_order.order_id, charges.charge_id
    from match_order
    inner join in_charges as charges on charges.web_order_line_item_id = match_order.web_order_line_item_id
    union
    select match_order.order_id, match_charge.charge_id
    from match_order
    inner join match_charge on match_charge.original_transaction_id = match_order.original_transaction_id
    where match_charge.type <> 'auto_renewable'
)
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
from naming
inner join match_order on match_order.order_id = naming.order_id
inner join match_charge on match_charge.charge_id = naming.charge_id
-- A pair that a higher rung decided says nothing new; another charge of a paid order is a second payment.
where not exists (
        select 1
        from match_decided
        where match_decided.order_id = match_order.order_id
            and match_decided.charge_id = match_charge.charge_id
    );
