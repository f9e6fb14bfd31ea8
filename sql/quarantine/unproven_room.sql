-- purpose: whether a signed text, and whether a receipt, ever verified under these roots and apps, and how much more of a day is
--          kept: until one of a kind did, Apple's own posts may be among what does not verify, and what is not kept must be sent
--          again.
-- parameters: reader_sha256 (text), received_at (timestamptz), items_max, byte_max (bigint): what is kept of one day
-- grain:   one row
select
    exists (
        select 1 from proven_kinds where proven_kinds.reader_sha256 = :'reader_sha256'::text and not proven_kinds.is_receipt
    ) as is_text_proven,
    exists (
        select 1 from proven_kinds where proven_kinds.reader_sha256 = :'reader_sha256'::text and proven_kinds.is_receipt
    ) as is_receipt_proven,
    :'items_max'::bigint - count(*) as items_left,
    (:'byte_max'::bigint - coalesce(sum(quarantined_items.byte_count), 0))::bigint as bytes_left
from quarantined_items
where quarantined_items.source = 'notification'
    and quarantined_items.day = (:'received_at'::timestamptz at time zone 'UTC')::date;
