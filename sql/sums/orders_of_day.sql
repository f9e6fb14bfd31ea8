-- purpose: orders that may count on a day in any time zone, UTC-12 to UTC+14: created then.
-- parameters: day (text): YYYY-MM-DD
-- grain:   one row per order
insert into sums_order (order_id)
select orders.order_id
from payrecon.orders
where orders.created_at >= :'day'::text::timestamp at time zone 'UTC' - interval '14 hours'
    and orders.created_at < :'day'::text::timestamp at time zone 'UTC' + interval '36 hours';
