-- purpose: judges staged orders, each of which stands once in the chunk, against their newest version.
-- parameters: none
-- grain:   one row per staged row; outcome new, newer, repeated or older
insert into judged_order
with known as materialized (
    select orders.order_id, orders.updated_at, orders.content_hash
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
)
select
    staged_order.order_id, staged_order.bundle_id, staged_order.product_id, staged_order.user_id, staged_order.status,
    staged_order.environment, staged_order.currency, staged_order.storefront, staged_order.app_account_token,
    staged_order.application_username, staged_order.transaction_id, staged_order.original_transaction_id,
    staged_order.web_order_line_item_id, staged_order.device_id, staged_order.evidence_sha256,
    staged_order.operator_id, staged_order.quantity, staged_order.price_milliunits, staged_order.content_hash,
    staged_order.batch_id, staged_order.created_at, staged_order.updated_at, staged_order.paid_at,
    staged_order.delivered_at, staged_order.refunded_at, staged_order.entitlement_expires_at,
    case
        when known.order_id is null then 'new'
        when (staged_order.updated_at, staged_order.content_hash) = (known.updated_at, known.content_hash)
            then 'repeated'
        when (staged_order.updated_at, staged_order.content_hash) > (known.updated_at, known.content_hash) then 'newer'
        else 'older'
    end
from staged_order
left join known on known.order_id = staged_order.order_id;
