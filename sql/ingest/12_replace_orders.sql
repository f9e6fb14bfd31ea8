-- purpose: replaces orders by their newer versions.
-- grain:   one row per replaced order
update orders
set
    bundle_id = judged_order.bundle_id,
    product_id = judged_order.product_id,
    user_id = judged_order.user_id,
    status = judged_order.status,
    environment = judged_order.environment,
    currency = judged_order.currency,
    storefront = judged_order.storefront,
    app_account_token = judged_order.app_account_token,
    application_username = judged_order.application_username,
    transaction_id = judged_order.transaction_id,
    original_transaction_id = judged_order.original_transaction_id,
    web_order_line_item_id = judged_order.web_order_line_item_id,
    device_id = judged_order.device_id,
    evidence_sha256 = judged_order.evidence_sha256,
    operator_id = judged_order.operator_id,
    quantity = judged_order.quantity,
    price_milliunits = judged_order.price_milliunits,
    content_hash = judged_order.content_hash,
    batch_id = judged_order.batch_id,
    created_at = judged_order.created_at,
    updated_at = judged_order.updated_at,
    paid_at = judged_order.paid_at,
    delivered_at = judged_order.delivered_at,
    refunded_at = judged_order.refunded_at,
    entitlement_expires_at = judged_order.entitlement_expires_at,
    stated_at = judged_order.stated_at,
    consumption_millipercent = judged_order.consumption_millipercent,
    consumption_consent = judged_order.consumption_consent,
    mapping_number = judged_order.mapping_number
from judged_order
where judged_order.outcome = 'newer'
    and judged_order.order_id = orders.order_id;
