-- purpose: stores staged evidence permanently.
-- parameters: batch_id (bigint), chunk (bigint): items of the batch that were recorded before
-- grain:   one row per stored item: its hash, and that of its row
insert into evidence (
    sha256, kind, verdict, reason, bundle_id, environment, source, header_key, charge_id,
    transaction_id, original_transaction_id, body, unpacked_length, batch_id, chunk, row_hash, signed_at, received_at
)
select
    staged_evidence.sha256, staged_evidence.kind, staged_evidence.verdict, staged_evidence.reason,
    staged_evidence.bundle_id, staged_evidence.environment, staged_evidence.source, staged_evidence.header_key,
    staged_evidence.charge_id, staged_evidence.transaction_id, staged_evidence.original_transaction_id,
    staged_evidence.body, staged_evidence.unpacked_length, :'batch_id'::bigint, :'chunk'::bigint,
    staged_evidence.row_hash, staged_evidence.signed_at, staged_evidence.received_at
from fresh_evidence
inner join staged_evidence using (sha256, item)
where not fresh_evidence.is_known
on conflict do nothing
returning sha256, row_hash;
