-- purpose: counts posts that the endpoint refused, until a batch takes over the count.
-- grain:   one row per day
insert into refused_notifications (day, item_count, byte_count, first_at, last_at)
select (received_at at time zone 'UTC')::date, count(*), sum(byte_count)::bigint, min(received_at), max(received_at)
from staged_quarantine
group by 1
on conflict (day) do update
set
    item_count = refused_notifications.item_count + excluded.item_count,
    byte_count = refused_notifications.byte_count + excluded.byte_count,
    first_at = least(refused_notifications.first_at, excluded.first_at),
    last_at = greatest(refused_notifications.last_at, excluded.last_at);
