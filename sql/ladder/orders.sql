-- purpose: orders for the ladder.
-- grain:   one row per order
select
    orders.order_id, orders.environment, orders.bundle_id, orders.product_id, orders.user_id, orders.status,
    orders.quantity::bigint,
    orders.created_at, orders.paid_at, orders.delivered_at, orders.entitlement_expires_at, orders.app_account_token,
    orders.transaction_id, orders.original_transaction_id, orders.web_order_line_item_id, orders.device_id,
    coalesce(users.is_tester, false) as is_tester
from in_orders as orders
left join in_users as users on users.user_id = orders.user_id;
