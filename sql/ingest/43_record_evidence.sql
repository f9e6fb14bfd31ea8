-- purpose: stores evidence permanently, and returns the content of its seal in the audit chain.
-- parameters: batch_id (bigint)
-- grain:   one row: the number of new items, the digest over their rows, and the chunk that they are sealed as
with recorded as (
    insert into evidence (
        sha256, kind, verdict, reason, bundle_id, environment, source, header_key, charge_id,
        transaction_id, original_transaction_id, body, unpacked_length, batch_id, chunk, row_hash, signed_at, received_at
    )
    select
        staged_evidence.sha256, staged_evidence.kind, staged_evidence.verdict, staged_evidence.reason,
        staged_evidence.bundle_id, staged_evidence.environment, staged_evidence.source, staged_evidence.header_key,
        staged_evidence.charge_id, staged_evidence.transaction_id, staged_evidence.original_transaction_id,
        staged_evidence.body, staged_evidence.unpacked_length, batches.batch_id, batches.items_done,
        evidence_row_hash(
            staged_evidence.sha256, staged_evidence.kind, staged_evidence.verdict, staged_evidence.reason,
            staged_evidence.bundle_id, staged_evidence.environment, staged_evidence.source,
            staged_evidence.header_key, staged_evidence.charge_id, staged_evidence.transaction_id,
            staged_evidence.original_transaction_id, staged_evidence.signed_at, staged_evidence.received_at
        ),
        staged_evidence.signed_at, staged_evidence.received_at
    from fresh_evidence
    inner join staged_evidence
        on staged_evidence.sha256 = fresh_evidence.sha256
        and staged_evidence.item = fresh_evidence.item
    inner join batches on batches.batch_id = :'batch_id'::bigint
    where not fresh_evidence.is_known
    on conflict do nothing
    returning sha256, row_hash, chunk
)
select
    count(*) as row_count,
    coalesce(encode(sha256(string_agg(recorded.row_hash, ''::bytea order by recorded.sha256)), 'hex'), '') as digest,
    coalesce(min(recorded.chunk), 0) as chunk
from recorded;
