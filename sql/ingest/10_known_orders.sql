-- purpose: ids of a chunk that are already stored. If no stored id lies between the chunk's first and last id, as in most
--          exports, no id is looked up.
-- parameters: order_ids (text[])
-- grain:   one row per known order
with chunk_order as materialized (
    select input.order_id collate "C" as order_id
    from unnest(:'order_ids'::text[]) as input (order_id)
),
span as materialized (
    select min(chunk_order.order_id) as first_id, max(chunk_order.order_id) as last_id
    from chunk_order
),
neighbour as materialized (
    select orders.order_id
    from orders
    where orders.order_id >= (select span.first_id from span)
    order by orders.order_id
    limit 1
)
select orders.order_id
from chunk_order
inner join orders on orders.order_id = chunk_order.order_id
where exists (select 1 from neighbour inner join span on span.last_id >= neighbour.order_id);
