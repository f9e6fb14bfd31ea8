-- purpose: records which kinds of signature were verified under these roots and apps.
-- parameters: reader_sha256 (text), are_receipts (text[]): for each kind whether it is the signature of app receipts
-- grain:   one row per kind
insert into proven_kinds (reader_sha256, is_receipt)
select :'reader_sha256'::text, proven.is_receipt::boolean
from unnest(:'are_receipts'::text[]) as proven (is_receipt)
on conflict do nothing;
