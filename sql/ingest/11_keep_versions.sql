-- purpose: stores the order version that a newer one replaces.
-- grain:   one row per replaced version
insert into order_versions
select
    orders.order_id, orders.bundle_id, orders.product_id, orders.user_id, orders.status, orders.environment, orders.currency,
    orders.storefront, orders.app_account_token, orders.application_username, orders.transaction_id,
    orders.original_transaction_id, orders.web_order_line_item_id, orders.device_id, orders.evidence_sha256,
    orders.operator_id, orders.quantity, orders.price_milliunits, orders.content_hash, orders.batch_id, orders.created_at,
    orders.updated_at, orders.paid_at, orders.delivered_at, orders.refunded_at, orders.entitlement_expires_at,
    orders.consumption_millipercent, orders.consumption_consent, judged_order.batch_id
from orders
inner join judged_order on judged_order.order_id = orders.order_id
where judged_order.outcome = 'newer'
on conflict do nothing;
