-- purpose: whether a post that does not verify must be sent again later: under these roots and apps nothing ever verified,
--          though something did under others, and no more of what came that day would be kept to be judged anew.
-- parameters: reader_sha256 (text), received_at (timestamptz), items_max, byte_max (bigint): what is kept of one day
-- grain:   one row
with proof as (
    select batches.reader_sha256 = :'reader_sha256'::text as is_ours
    from batches
    where exists (select 1 from input_hours where input_hours.batch_id = batches.batch_id and input_hours.kind = 'apple')
),
kept as (
    select count(*) as item_count, coalesce(sum(quarantined_items.byte_count), 0) as byte_count
    from quarantined_items
    where quarantined_items.source = 'notification'
        and quarantined_items.day = (:'received_at'::timestamptz at time zone 'UTC')::date
)
select
    (kept.item_count >= :'items_max'::bigint or kept.byte_count >= :'byte_max'::bigint)
    and exists (select 1 from proof)
    and not exists (select 1 from proof where proof.is_ours) as is_shut
from kept;
