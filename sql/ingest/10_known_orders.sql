-- purpose: ids of a chunk that orders have already. No id is looked up where no known id is between the first and the last one,
--          as in most exports.
-- parameters: order_ids (text[])
-- grain:   one row per known order
with asked as materialized (
    select told.order_id collate "C" as order_id
    from unnest(:'order_ids'::text[]) as told (order_id)
),
span as materialized (
    select min(asked.order_id) as first_id, max(asked.order_id) as last_id
    from asked
),
neighbour as materialized (
    select orders.order_id
    from orders
    where orders.order_id >= (select span.first_id from span)
    order by orders.order_id
    limit 1
)
select orders.order_id
from asked
inner join orders on orders.order_id = asked.order_id
where exists (select 1 from neighbour inner join span on span.last_id >= neighbour.order_id);
