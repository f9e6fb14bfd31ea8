-- purpose: the orders of the scope; those that were ever paid or delivered stand, the others are carts.
-- grain:   one row per order
insert into match_order (
    order_id, environment, bundle_id, product_id, user_id, status, transaction_id, original_transaction_id,
    web_order_line_item_id, evidence_sha256, device_id, own_token, quantity, is_standing, is_delivered, is_tester, created_at,
    settled_at, access_until
)
select
    orders.order_id,
    orders.environment,
    orders.bundle_id,
    orders.product_id,
    orders.user_id,
    orders.status,
    orders.transaction_id,
    orders.original_transaction_id,
    orders.web_order_line_item_id,
    orders.evidence_sha256,
    orders.device_id,
    orders.app_account_token,
    orders.quantity,
    orders.status not in ('created', 'cancelled') or orders.paid_at is not null or orders.delivered_at is not null,
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
left join in_users as users on users.user_id = orders.user_id;
