-- purpose: whether a signed text and a receipt were ever verified under these roots and apps, and the remaining room of a
--          day. Until then unverified posts may be Apple's, and posts beyond the room must be sent again.
-- parameters: reader_sha256 (text), received_at (timestamptz), items_max, byte_max (bigint): limits per day
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
