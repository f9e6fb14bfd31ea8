-- purpose: order ids that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select orders.order_id
from orders
where orders.order_id >= :'prefix'::text
    and orders.order_id < :'prefix'::text || chr(1114111)
order by orders.order_id
limit :'rows'::bigint;
