-- purpose: notes on unchanged orders that a newer mapping reads them the same way, so that rows of an older mapping no longer
--          compete with them. Without a change of the mapping none is written.
-- grain:   one row per such order
update orders
set mapping_number = restated.mapping_number
from (
    select
        judged_order.order_id, judged_order.content_hash, judged_order.mapping_number, repeated_order.stated_at as repeated_at,
        max(coalesce(judged_order.stated_at, judged_order.updated_at)) as counts_at
    from judged_order
    left join repeated_order on repeated_order.order_id = judged_order.order_id
    where judged_order.outcome = 'repeated'
        and judged_order.mapping_number > 0
    group by judged_order.order_id, judged_order.content_hash, judged_order.mapping_number, repeated_order.stated_at
) as restated
where orders.order_id = restated.order_id
    and orders.content_hash = restated.content_hash
    and orders.mapping_number < restated.mapping_number
    and greatest(coalesce(orders.stated_at, orders.updated_at), restated.repeated_at) <= restated.counts_at;
