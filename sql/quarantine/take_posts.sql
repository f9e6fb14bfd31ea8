-- purpose: assigns the endpoint's counts and samples to this batch.
-- parameters: batch_id (bigint)
-- grain:   one row: number of counted items, and of posts that were known or queued already
with taken as (delete from refused_notifications returning day, item_count, byte_count, first_at, last_at),
repeated as (delete from door_counts where door_counts.kind = 'repeated' returning item_count),
counted as (
    insert into quarantine_counts (source, day, batch_id, item_count, byte_count, first_at, last_at)
    select 'notification', day, :'batch_id'::bigint, item_count, byte_count, first_at, last_at
    from taken
),
known as (update quarantined_items set batch_id = :'batch_id'::bigint where quarantined_items.batch_id is null)
select
    (select coalesce(sum(taken.item_count), 0) from taken)::bigint as item_count,
    (select coalesce(sum(repeated.item_count), 0) from repeated)::bigint as repeated_count;
