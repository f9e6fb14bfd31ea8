-- purpose: export of orders as known at an instant.
-- grain:   one row per order
select
    order_id, bundle_id, product_id, user_id, status, rfc3339(created_at) as created_at,
    rfc3339(updated_at) as updated_at, environment, quantity, price_milliunits, currency, storefront,
    rfc3339(paid_at) as paid_at, rfc3339(delivered_at) as delivered_at, rfc3339(refunded_at) as refunded_at,
    rfc3339(entitlement_expires_at) as entitlement_expires_at, app_account_token, application_username,
    transaction_id, original_transaction_id, web_order_line_item_id, device_id,
    encode(evidence_sha256, 'hex') as evidence_sha256, operator_id, consumption_consent, consumption_millipercent
from orders
order by order_id;
