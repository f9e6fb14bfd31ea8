-- purpose: the id of the case of an order's user, whether or not the case exists.
-- parameters: order_id (text)
-- grain:   one row; none if the order does not exist
select payrecon.case_id_of('user', orders.user_id)
from orders
where orders.order_id = :'order_id'::text;
