-- purpose: orders that may count on a day in any time zone: created around it.
-- parameters: day (text): YYYY-MM-DD
-- grain:   one row per order
insert into sums_order (order_id)
select orders.order_id
from payrecon.orders
where orders.created_at >= (:'day'::text::date - 2)::timestamp at time zone 'UTC'
    and orders.created_at < (:'day'::text::date + 3)::timestamp at time zone 'UTC';
