-- purpose: up to which clock what is known of the staged orders was told again by rows without a date of their own; only readings are
--          looked at that something staged does not come after.
-- parameters: none
-- grain:   one row per order that was told so
insert into told_again
with staged as (
    select min(coalesce(told_at, updated_at)) as counts_at, min(order_id) as first_id, max(order_id) as last_id
    from staged_order
),
reading as materialized (
    select order_readings.ids, order_readings.told_at
    from order_readings
    where order_readings.told_at >= (select staged.counts_at from staged)
        and order_readings.first_id <= (select staged.last_id from staged)
        and order_readings.last_id >= (select staged.first_id from staged)
)
select told.order_id, max(reading.told_at)
from reading
cross join lateral unnest(reading.ids) as told (order_id)
where told.order_id in (select staged_order.order_id from staged_order)
group by told.order_id;
