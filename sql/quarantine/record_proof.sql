-- purpose: records which kinds of signature were verified under these roots and apps.
-- parameters: reader_sha256 (text)
-- grain:   one row per kind
insert into proven_kinds (reader_sha256, is_receipt)
select distinct :'reader_sha256'::text, staged_evidence.kind = 'receipt'
from staged_evidence
where staged_evidence.verdict = 'genuine'
    and (staged_evidence.kind = 'receipt' or staged_evidence.header_key is not null)
on conflict do nothing;
