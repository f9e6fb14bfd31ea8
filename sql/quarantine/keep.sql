-- purpose: stores samples of items that are not genuine, up to a number of items and bytes per source and day.
-- parameters: reader_sha256 (text): their reader, items_max, byte_max (bigint), batch_id (bigint): null at the endpoint
-- grain:   one row per sample
insert into quarantined_items (
    source, day, sha256, kind, bundle_id, environment, verdict, reason, reader_sha256, body_base64, byte_count, batch_id,
    received_at
)
with staged as (
    select distinct on (source, day, sha256) staged_quarantine.*, day
    from staged_quarantine
    cross join lateral (select (staged_quarantine.received_at at time zone 'UTC')::date as day) as received
    order by source, day, sha256, received_at
),
placed as (
    select
        staged.*,
        row_number() over (partition by staged.source, staged.day order by staged.sha256) as place,
        sum(staged.byte_count) over (partition by staged.source, staged.day order by staged.sha256) as bytes
    from staged
    where not exists (
        select 1
        from quarantined_items
        where quarantined_items.source = staged.source
            and quarantined_items.day = staged.day
            and quarantined_items.sha256 = staged.sha256
    )
)
select
    placed.source, placed.day, placed.sha256, placed.kind, placed.bundle_id, placed.environment, placed.verdict,
    placed.reason, :'reader_sha256'::text, placed.body_base64, placed.byte_count, :'batch_id'::bigint,
    placed.received_at
from placed
cross join lateral (
    select count(*) as item_count, coalesce(sum(quarantined_items.byte_count), 0) as byte_count
    from quarantined_items
    where quarantined_items.source = placed.source
        and quarantined_items.day = placed.day
) as kept
where kept.item_count + placed.place <= :'items_max'::bigint
    and kept.byte_count + placed.bytes <= :'byte_max'::bigint
on conflict do nothing;
