-- purpose: selected orders as of the report's clock.
-- grain:   one row per order
insert into pg_temp.summed_orders (
    order_id, bundle_id, environment, currency, status, price_milliunits, created_at, paid_at, delivered_at
)
select
    known.order_id, known.bundle_id, known.environment, known.currency, known.status, known.price_milliunits, known.created_at,
    known.paid_at, known.delivered_at
from payrecon.orders_at(payrecon.viewed_at()) as known
where known.order_id = any(array(select sums_order.order_id from sums_order));
