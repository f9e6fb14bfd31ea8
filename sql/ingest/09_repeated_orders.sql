-- purpose: the latest clock at which undated rows repeated the known content of staged orders. Reads only readings that are
--          later than some staged row.
-- grain:   one row per repeated order
insert into repeated_order
with staged as (
    select min(coalesce(stated_at, updated_at)) as counts_at, min(order_id) as first_id, max(order_id) as last_id
    from staged_order
),
reading as materialized (
    select order_readings.ids, order_readings.stated_at
    from order_readings
    where order_readings.stated_at >= (select staged.counts_at from staged)
        and order_readings.first_id <= (select staged.last_id from staged)
        and order_readings.last_id >= (select staged.first_id from staged)
)
select repeated.order_id, max(reading.stated_at)
from reading
cross join lateral unnest(reading.ids) as repeated (order_id)
where repeated.order_id in (select staged_order.order_id from staged_order)
group by repeated.order_id;
