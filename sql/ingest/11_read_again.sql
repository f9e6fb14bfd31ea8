-- purpose: a version that is read again under a later clock, and does not say when it was changed, counts by that clock.
-- parameters: none
-- grain:   one row per such order
update orders
set updated_at = judged_order.updated_at
from judged_order
where judged_order.outcome = 'repeated'
    and judged_order.order_id = orders.order_id
    and judged_order.content_hash = orders.content_hash
    and judged_order.updated_at > orders.updated_at;
