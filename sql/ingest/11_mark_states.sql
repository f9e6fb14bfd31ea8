-- purpose: marks newer versions that leave everything unchanged that M1 to M5 and counts read, such as a delivery, a
--          refund or another price. A cancellation and the payment of a cart are not marked. Only M6 reads other fields,
--          so orders matched by it are decided again (scope/04_seeds_of_changes.sql).
-- grain:   one row per such order
update judged_order
set is_state = true
from orders
where orders.order_id = judged_order.order_id
    and judged_order.outcome = 'newer'
    and (
        judged_order.user_id, judged_order.environment, judged_order.bundle_id, judged_order.product_id,
        judged_order.app_account_token, judged_order.transaction_id, judged_order.original_transaction_id,
        judged_order.web_order_line_item_id, judged_order.evidence_sha256, judged_order.device_id,
        judged_order.created_at, judged_order.entitlement_expires_at, judged_order.status = 'cancelled', judged_order.status = 'created',
        order_standing(judged_order.status, judged_order.paid_at, judged_order.delivered_at)
    ) is not distinct from (
        orders.user_id, orders.environment, orders.bundle_id, orders.product_id,
        orders.app_account_token, orders.transaction_id, orders.original_transaction_id,
        orders.web_order_line_item_id, orders.evidence_sha256, orders.device_id,
        orders.created_at, orders.entitlement_expires_at, orders.status = 'cancelled', orders.status = 'created',
        order_standing(orders.status, orders.paid_at, orders.delivered_at)
    );
