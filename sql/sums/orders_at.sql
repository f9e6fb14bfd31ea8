-- purpose: the changed orders as they stood at the clock that is asked for.
-- grain:   one row per order
insert into pg_temp.orders
select told.*
from payrecon.orders_at(payrecon.asked_at()) as told
where told.order_id = any(array(select sums_order.order_id from sums_order));
