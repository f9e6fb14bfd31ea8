-- purpose: counts quarantined posts at the endpoint, until a batch takes over the count.
-- parameters: item_count, byte_count (bigint), first_at, last_at (timestamptz): all on one day
-- grain:   one row
insert into refused_notifications (day, item_count, byte_count, first_at, last_at)
values (
    (:'first_at'::timestamptz at time zone 'UTC')::date, :'item_count'::bigint, :'byte_count'::bigint,
    :'first_at'::timestamptz, :'last_at'::timestamptz
)
on conflict (day) do update
set
    item_count = refused_notifications.item_count + excluded.item_count,
    byte_count = refused_notifications.byte_count + excluded.byte_count,
    first_at = least(refused_notifications.first_at, excluded.first_at),
    last_at = greatest(refused_notifications.last_at, excluded.last_at);
