-- purpose: the case that an order's customer has, or would have.
-- parameters: order_id (text)
-- grain:   one row, or none when there is no such order
select payrecon.case_id_of('user', orders.user_id)
from orders
where orders.order_id = :'order_id'::text;
