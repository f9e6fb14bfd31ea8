-- purpose: records evidence for ever.
-- parameters: batch_id (bigint)
-- grain:   one row per item not known before
insert into evidence (
    sha256, kind, verdict, reason, bundle_id, environment, source, header_sha256, charge_id,
    transaction_id, original_transaction_id, body, batch_id, signed_at, received_at
)
select
    staged_evidence.sha256, staged_evidence.kind, staged_evidence.verdict, staged_evidence.reason,
    staged_evidence.bundle_id, staged_evidence.environment, staged_evidence.source, staged_evidence.header_sha256,
    staged_evidence.charge_id, staged_evidence.transaction_id, staged_evidence.original_transaction_id,
    staged_evidence.body, :'batch_id'::bigint, staged_evidence.signed_at, staged_evidence.received_at
from fresh_evidence
inner join staged_evidence
    on staged_evidence.sha256 = fresh_evidence.sha256
    and staged_evidence.item = fresh_evidence.item
on conflict do nothing;
