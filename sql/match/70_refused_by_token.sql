-- purpose: orders left open whose token reaches a purchase they cannot have: a sandbox purchase behind a live order,
--          or another product bought under the order's own token when nothing else is open on either side.
-- parameters: window, skew (intervals)
-- grain:   one refused candidate per order and charge
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
with reached as (
    select
        match_order.order_id,
        match_charge.charge_id,
        match_charge.original_transaction_id,
        match_order.created_at,
        match_charge.purchased_at,
        match_charge.environment <> 'Production' as is_sandbox,
        match_charge.product_id = match_order.product_id as is_same_product,
        match_charge.token = match_order.own_token
            and not exists (
                select 1 from in_user_tokens as user_tokens where user_tokens.app_account_token = match_order.own_token
            ) as is_orders_token,
        match_order.status in ('paid', 'delivered') as is_standing,
        count(*) over (partition by match_order.order_id, match_charge.environment) as charge_count,
        count(*) over (partition by match_charge.charge_id) as order_count
    from match_order
    inner join match_order_token on match_order_token.order_id = match_order.order_id
    inner join match_charge
        on match_charge.token = match_order_token.token
        and match_charge.bundle_id = match_order.bundle_id
        and match_charge.purchased_at >= match_order.created_at - :'skew'::interval
        and match_charge.purchased_at <= match_order.created_at + :'window'::interval
    where match_order.environment = 'Production'
        and match_charge.ownership = 'PURCHASED'
        and not match_charge.is_renewal
        and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id)
        and not exists (select 1 from match_decided where match_decided.charge_id = match_charge.charge_id)
)
select
    'M2',
    order_id,
    charge_id,
    original_transaction_id,
    case when is_sandbox then 'SANDBOX_IN_PROD' else 'PRODUCT_DIFF' end,
    created_at,
    purchased_at
from reached
where (is_sandbox and is_same_product)
    or (not is_sandbox and not is_same_product and is_orders_token and is_standing and charge_count = 1 and order_count = 1);
