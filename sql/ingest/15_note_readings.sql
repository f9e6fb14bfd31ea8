-- purpose: notes that rows without a date of their own told what is known under a clock, so that what an earlier clock read, and
--          comes in later, does not count as a change since. Nothing is written to the orders themselves.
-- parameters: none
-- grain:   one row per chunk that repeats such an order
insert into order_readings (ids_hash, first_id, last_id, told_at, ids)
select
    encode(sha256(convert_to(array_to_string(told.ids, e'\n'), 'UTF8')), 'hex'), told.first_id, told.last_id, told.told_at,
    told.ids
from (
    select
        array_agg(distinct order_id order by order_id) as ids, min(order_id) as first_id, max(order_id) as last_id,
        max(told_at) as told_at
    from judged_order
    where told_at is not null
    having bool_or(outcome = 'repeated')
) as told
on conflict (ids_hash) do update
set told_at = excluded.told_at
where order_readings.told_at < excluded.told_at;
