-- purpose: orders of which the staged rows and the known version name different users or times of creation: rows of several orders
--          under one id, such as one that a spreadsheet shortened.
-- parameters: none
-- grain:   one row; order_id is the first of them, null where there are none
with known as materialized (
    select distinct orders.order_id, orders.user_id, orders.created_at
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
),
contradicted as (
    select told.order_id
    from (
        select staged_order.order_id, staged_order.user_id, staged_order.created_at from staged_order
        union all
        select known.order_id, known.user_id, known.created_at from known
    ) as told
    group by told.order_id
    having min(told.user_id) <> max(told.user_id)
        or min(told.created_at) <> max(told.created_at)
)
select count(*) as order_count, min(contradicted.order_id) as order_id
from contradicted;
