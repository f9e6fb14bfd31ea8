-- purpose: ids of a chunk that are already stored.
-- parameters: order_ids (text[])
-- grain:   one row per known order
select orders.order_id
from unnest(:'order_ids'::text[]) as chunk_order (order_id)
inner join orders on orders.order_id = chunk_order.order_id collate "C";
