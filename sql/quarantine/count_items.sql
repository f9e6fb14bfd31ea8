-- purpose: counts a batch's items that are not genuine and tied to nobody.
-- parameters: batch_id (bigint)
-- grain:   one row per source and day
insert into quarantine_counts (source, day, batch_id, item_count, byte_count, first_at, last_at)
select
    source, (received_at at time zone 'UTC')::date, :'batch_id'::bigint, count(*), sum(byte_count)::bigint,
    min(received_at), max(received_at)
from staged_quarantine
group by 1, 2
on conflict (source, day, batch_id) do update
set
    item_count = quarantine_counts.item_count + excluded.item_count,
    byte_count = quarantine_counts.byte_count + excluded.byte_count,
    first_at = least(quarantine_counts.first_at, excluded.first_at),
    last_at = greatest(quarantine_counts.last_at, excluded.last_at);
