-- purpose: records the clock at which undated rows repeated known orders. A reading of an earlier clock that arrives later
--          then does not count as a change. The orders themselves stay unwritten.
-- grain:   one row per chunk that repeats such an order
insert into order_readings (ids_hash, first_id, last_id, stated_at, ids)
select
    text_sha256(array_to_string(reading.ids, e'\n')), reading.first_id, reading.last_id, reading.stated_at,
    reading.ids
from (
    select
        array_agg(distinct order_id order by order_id) as ids, min(order_id) as first_id, max(order_id) as last_id,
        max(stated_at) as stated_at
    from judged_order
    where stated_at is not null
    having bool_or(outcome = 'repeated')
) as reading
on conflict (ids_hash) do update
set stated_at = excluded.stated_at
where order_readings.stated_at < excluded.stated_at;
