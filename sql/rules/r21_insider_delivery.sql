-- purpose: R21 insider delivery: an employee booked and delivered an order without a charge.
-- traps:   a gift has price 0; a purchase inside its grace time may still arrive; testers receive goods on purpose; the charge
--          of an order from before its app's start date may never have been read.
-- parameters: as_of (timestamptz), grace (interval), orders_min (bigint); bundles, starts (text[]): apps and their start dates,
--             parallel arrays
-- grain:   one signal per order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, device_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
with unpaid as materialized (
    select orders.*, greatest(orders.created_at, orders.paid_at, orders.delivered_at) as booked_at
    from orders
    left join unnest(:'bundles'::text[], :'starts'::text[]) as app (bundle_id, starts_at) on app.bundle_id = orders.bundle_id
    where orders.operator_id is not null
        and orders.environment = 'Production'
        and (orders.status = 'delivered' or orders.delivered_at is not null)
        and coalesce(orders.price_milliunits, 1) > 0
        and greatest(orders.created_at, orders.paid_at, orders.delivered_at)
        < :'as_of'::timestamptz - :'grace'::interval
        and greatest(orders.created_at, least(orders.paid_at, orders.delivered_at)) >= coalesce(app.starts_at::timestamptz, '-infinity')
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
counted_delivery as (
    select
        unpaid.*,
        count(*) over (partition by unpaid.operator_id) as operator_count,
        count(*) over (partition by unpaid.operator_id, unpaid.user_id) as user_count
    from unpaid
    where not exists (
        select 1
        from rule_tester
        where rule_tester.user_id = unpaid.user_id
            and rule_tester.bundle_id in (unpaid.bundle_id, '')
            and rule_tester.allowed @> unpaid.created_at
    )
)
select
    'R21',
    'order',
    counted_delivery.order_id,
    counted_delivery.bundle_id,
    counted_delivery.user_id,
    counted_delivery.device_id,
    counted_delivery.currency,
    counted_delivery.price_milliunits,
    counted_delivery.operator_count,
    counted_delivery.booked_at,
    phrase('detail.insider', jsonb_build_object(
        'operator', counted_delivery.operator_id, 'count', counted_delivery.operator_count, 'own', counted_delivery.user_count
    )),
    json_build_object(
        'operator', counted_delivery.operator_id, 'operator_orders', counted_delivery.operator_count,
        'to_this_user', counted_delivery.user_count,
        'status', counted_delivery.status, 'product', counted_delivery.product_id, 'booked_at', rfc3339(counted_delivery.booked_at)
    )::text
from counted_delivery
where counted_delivery.operator_count >= :'orders_min'::bigint;
