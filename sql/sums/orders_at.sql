-- purpose: the named orders as they stood at the clock that is asked for.
-- grain:   one row per order
insert into pg_temp.summed_orders (
    order_id, bundle_id, environment, currency, status, price_milliunits, created_at, paid_at, delivered_at
)
select
    told.order_id, told.bundle_id, told.environment, told.currency, told.status, told.price_milliunits, told.created_at, told.paid_at,
    told.delivered_at
from payrecon.orders_at(payrecon.viewed_at()) as told
where told.order_id = any(array(select sums_order.order_id from sums_order));
