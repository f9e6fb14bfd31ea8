-- purpose: compares each staged order with its newest version. The greatest updated_at wins; a row without one is dated by
--          the clock of its reading or latest repetition. Ties go to the row with the latest instant in it, then the most
--          advanced status, then the content hash. Equal content is a repeat.
--          10_judge_distinct_orders.sql states the same rule for a chunk that has each order once.
-- grain:   one row per staged row; outcome new, newer, repeated or older
insert into judged_order
with placed as (
    select
        staged_order.*, coalesce(stated_at, updated_at) as counts_at, order_stage(status) as stage,
        row_number() over best_first as place,
        first_value(content_hash) over best_first as best_content_hash
    from staged_order
    window best_first as (
        partition by order_id
        order by coalesce(stated_at, updated_at) desc, updated_at desc, order_stage(status) desc, content_hash desc, line
    )
),
known as materialized (
    select distinct orders.order_id, orders.updated_at, orders.content_hash, orders.status, orders.stated_at
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
),
known_newest as (
    select
        known.*, order_stage(known.status) as stage,
        greatest(coalesce(known.stated_at, known.updated_at), repeated_order.stated_at) as counts_at
    from known
    left join repeated_order on repeated_order.order_id = known.order_id
)
select
    placed.order_id, placed.bundle_id, placed.product_id, placed.user_id, placed.status, placed.environment,
    placed.currency, placed.storefront, placed.app_account_token, placed.application_username, placed.transaction_id,
    placed.original_transaction_id, placed.web_order_line_item_id, placed.device_id, placed.evidence_sha256,
    placed.operator_id, placed.quantity, placed.price_milliunits, placed.content_hash, placed.batch_id,
    placed.created_at, placed.updated_at, placed.paid_at, placed.delivered_at, placed.refunded_at,
    placed.entitlement_expires_at, placed.stated_at, placed.consumption_millipercent, placed.consumption_consent,
    case
        when placed.place > 1 then case when placed.content_hash = placed.best_content_hash then 'repeated' else 'older' end
        when known_newest.order_id is null then 'new'
        when placed.content_hash = known_newest.content_hash then 'repeated'
        when (placed.counts_at, placed.updated_at, placed.stage, placed.content_hash)
            > (known_newest.counts_at, known_newest.updated_at, known_newest.stage, known_newest.content_hash) then 'newer'
        else 'older'
    end
from placed
left join known_newest on known_newest.order_id = placed.order_id;
