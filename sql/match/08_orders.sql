-- purpose: the orders of the scope, with their rank among orders that claim one charge.
-- grain:   one row per order
insert into match_order (
    order_id, environment, bundle_id, product_id, user_id, status, transaction_id, period_transaction_id,
    original_transaction_id, web_order_line_item_id, evidence_sha256, device_id, own_token, quantity, standing, is_delivered,
    is_tester, created_at, settled_at, access_until
)
select
    orders.order_id,
    orders.environment,
    orders.bundle_id,
    orders.product_id,
    orders.user_id,
    orders.status,
    orders.transaction_id,
    case when match_chain_order.order_id is null then orders.transaction_id end,
    orders.original_transaction_id,
    orders.web_order_line_item_id,
    orders.evidence_sha256,
    orders.device_id,
    orders.app_account_token,
    orders.quantity,
    order_standing(orders.status, orders.paid_at, orders.delivered_at),
    orders.status = 'delivered' or orders.delivered_at is not null,
    coalesce(users.is_tester, false),
    orders.created_at,
    case
        when orders.status = 'created' then null
        else coalesce(least(orders.paid_at, orders.delivered_at), orders.created_at)
    end,
    orders.entitlement_expires_at
from match_scope_order
inner join in_orders as orders on orders.order_id = match_scope_order.order_id
left join match_chain_order on match_chain_order.order_id = orders.order_id
left join in_users as users on users.user_id = orders.user_id;
