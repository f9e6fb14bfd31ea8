-- purpose: what the door counted, and the samples it kept, are known from this batch on.
-- parameters: batch_id (bigint)
-- grain:   one row: items counted
with taken as (
    delete from refused_notifications
    returning day, item_count, byte_count, first_at, last_at
),
counted as (
    insert into quarantine_counts (source, day, batch_id, item_count, byte_count, first_at, last_at)
    select 'notification', day, :'batch_id'::bigint, item_count, byte_count, first_at, last_at
    from taken
),
known as (
    update quarantined_items
    set batch_id = :'batch_id'::bigint
    where quarantined_items.batch_id is null
)
select coalesce(sum(item_count), 0)::bigint as item_count
from taken;
