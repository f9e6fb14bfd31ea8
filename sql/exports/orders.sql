-- purpose: export of orders as known at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per order
with known_batch as (select batch_id from batches where known_at <= :'as_of'::timestamptz),
version as (
    select
        order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
        application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id,
        evidence_sha256, operator_id, quantity, price_milliunits, batch_id, created_at, updated_at, paid_at,
        delivered_at, refunded_at, entitlement_expires_at, consumption_millipercent, consumption_consent
    from orders
    where batch_id in (select batch_id from known_batch)
    union all
    select
        order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
        application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id,
        evidence_sha256, operator_id, quantity, price_milliunits, batch_id, created_at, updated_at, paid_at,
        delivered_at, refunded_at, entitlement_expires_at, consumption_millipercent, consumption_consent
    from order_versions
    where batch_id in (select batch_id from known_batch)
        and replaced_by_batch_id not in (select batch_id from known_batch)
)
select
    order_id, bundle_id, product_id, user_id, status, rfc3339(created_at) as created_at,
    rfc3339(updated_at) as updated_at, environment, quantity, price_milliunits, currency, storefront,
    rfc3339(paid_at) as paid_at, rfc3339(delivered_at) as delivered_at, rfc3339(refunded_at) as refunded_at,
    rfc3339(entitlement_expires_at) as entitlement_expires_at, app_account_token, application_username,
    transaction_id, original_transaction_id, web_order_line_item_id, device_id,
    encode(evidence_sha256, 'hex') as evidence_sha256, operator_id, consumption_consent, consumption_millipercent
from version
order by order_id;
