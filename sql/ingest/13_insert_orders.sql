-- purpose: inserts new orders.
-- grain:   one row per order
insert into orders
select
    order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
    application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id,
    evidence_sha256, operator_id, quantity, price_milliunits, content_hash, batch_id, created_at, updated_at, paid_at,
    delivered_at, refunded_at, entitlement_expires_at, stated_at, consumption_millipercent, consumption_consent, mapping_number
from judged_order
where outcome = 'new'
order by order_id;
