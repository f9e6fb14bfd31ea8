-- purpose: orders whose staged rows and known version have different users or creation instants. Several orders then share
--          one id, for example an id shortened by a spreadsheet. A version that another mapping read does not count.
-- grain:   one row; order_id is the first such order, null if there is none
with known as materialized (
    select distinct orders.order_id, orders.user_id, orders.created_at
    from staged_order
    inner join payrecon.orders using (order_id, mapping_number)
),
contradicted as (
    select version.order_id
    from (
        select staged_order.order_id, staged_order.user_id, staged_order.created_at from staged_order
        union all
        select known.order_id, known.user_id, known.created_at from known
    ) as version
    group by version.order_id
    having min(version.user_id) <> max(version.user_id)
        or min(version.created_at) <> max(version.created_at)
)
select count(*) as order_count, min(contradicted.order_id) as order_id
from contradicted;
