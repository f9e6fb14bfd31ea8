-- purpose: compares staged orders with their newest version like 10_judge_orders.sql, for chunks without repeated order ids.
-- grain:   one row per staged row; outcome new, newer, repeated or older
insert into judged_order
with known as materialized (
    select orders.order_id, orders.updated_at, orders.content_hash, orders.status, orders.stated_at
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
),
known_newest as (
    select known.*, greatest(coalesce(known.stated_at, known.updated_at), repeated_order.stated_at) as counts_at
    from known
    left join repeated_order on repeated_order.order_id = known.order_id
)
select
    staged_order.order_id, staged_order.bundle_id, staged_order.product_id, staged_order.user_id, staged_order.status,
    staged_order.environment, staged_order.currency, staged_order.storefront, staged_order.app_account_token,
    staged_order.application_username, staged_order.transaction_id, staged_order.original_transaction_id,
    staged_order.web_order_line_item_id, staged_order.device_id, staged_order.evidence_sha256,
    staged_order.operator_id, staged_order.quantity, staged_order.price_milliunits, staged_order.content_hash,
    staged_order.batch_id, staged_order.created_at, staged_order.updated_at, staged_order.paid_at,
    staged_order.delivered_at, staged_order.refunded_at, staged_order.entitlement_expires_at, staged_order.stated_at,
    staged_order.consumption_millipercent, staged_order.consumption_consent,
    case
        when known_newest.order_id is null then 'new'
        when staged_order.content_hash = known_newest.content_hash then 'repeated'
        when (
            coalesce(staged_order.stated_at, staged_order.updated_at), staged_order.updated_at, order_stage(staged_order.status),
            staged_order.content_hash
        ) > (known_newest.counts_at, known_newest.updated_at, order_stage(known_newest.status), known_newest.content_hash)
            then 'newer'
        else 'older'
    end
from staged_order
left join known_newest on known_newest.order_id = staged_order.order_id;
