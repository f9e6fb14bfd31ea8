-- purpose: judges each staged order against its newest version: the greatest updated_at wins, then the content hash.
-- parameters: none
-- grain:   one row per staged row; outcome new, newer, repeated or older
insert into judged_order
with placed as (
    select
        staged_order.*,
        row_number() over (
            partition by order_id order by updated_at desc, content_hash desc, line
        ) as place,
        first_value(updated_at) over best_first as best_updated_at,
        first_value(content_hash) over best_first as best_content_hash
    from staged_order
    window best_first as (partition by order_id order by updated_at desc, content_hash desc, line)
),
known as materialized (
    select distinct orders.order_id, orders.updated_at, orders.content_hash
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
)
select
    placed.order_id, placed.bundle_id, placed.product_id, placed.user_id, placed.status, placed.environment,
    placed.currency, placed.storefront, placed.app_account_token, placed.application_username, placed.transaction_id,
    placed.original_transaction_id, placed.web_order_line_item_id, placed.device_id, placed.evidence_sha256,
    placed.operator_id, placed.quantity, placed.price_milliunits, placed.content_hash, placed.batch_id,
    placed.created_at, placed.updated_at, placed.paid_at, placed.delivered_at, placed.refunded_at,
    placed.entitlement_expires_at,
    case
        when placed.place > 1
            then case
                when (placed.updated_at, placed.content_hash) = (placed.best_updated_at, placed.best_content_hash)
                    then 'repeated'
                else 'older'
            end
        when known.order_id is null then 'new'
        when (placed.updated_at, placed.content_hash) = (known.updated_at, known.content_hash) then 'repeated'
        when (placed.updated_at, placed.content_hash) > (known.updated_at, known.content_hash) then 'newer'
        else 'older'
    end
from placed
left join known on known.order_id = placed.order_id;
