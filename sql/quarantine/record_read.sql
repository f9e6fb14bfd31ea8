-- purpose: marks samples as verified by this reader; samples that became evidence are subtracted from the counts.
-- parameters: reader_sha256 (text), batch_id (bigint), items, released (text[]): `SOURCE|DAY|HASH`
-- grain:   one row per reduced source and day
with settled as (
    update quarantined_items
    set
        reader_sha256 = :'reader_sha256'::text,
        released_batch_id = case when named.name = any(:'released'::text[]) then :'batch_id'::bigint end
    from unnest(:'items'::text[]) as named (name)
    where quarantined_items.source = split_part(named.name, '|', 1)
        and quarantined_items.day = split_part(named.name, '|', 2)::date
        and quarantined_items.sha256 = split_part(named.name, '|', 3)
        and quarantined_items.released_batch_id is null
    returning quarantined_items.source, quarantined_items.day, quarantined_items.byte_count,
        quarantined_items.released_batch_id
)
insert into quarantine_counts (source, day, batch_id, item_count, byte_count)
select source, day, :'batch_id'::bigint, -count(*), -sum(byte_count)::bigint
from settled
where released_batch_id is not null
group by source, day
on conflict (source, day, batch_id) do update
set
    item_count = quarantine_counts.item_count + excluded.item_count,
    byte_count = quarantine_counts.byte_count + excluded.byte_count;
