-- purpose: evidence with its current verdict. first_verdict serves the index: evidence that is not genuine now never was.
create or replace view payrecon.judged_evidence with (security_invoker = true) as
select
    evidence.sha256, evidence.verdict as first_verdict,
    coalesce(latest.verdict, evidence.verdict) as verdict,
    coalesce(latest.reason, evidence.reason) as reason,
    coalesce(latest.kind, evidence.kind) as kind,
    coalesce(latest.bundle_id, evidence.bundle_id) as bundle_id,
    coalesce(latest.environment, evidence.environment) as environment,
    coalesce(latest.charge_id, evidence.charge_id) as charge_id,
    coalesce(latest.transaction_id, evidence.transaction_id) as transaction_id,
    coalesce(latest.original_transaction_id, evidence.original_transaction_id) as original_transaction_id,
    coalesce(latest.signed_at, evidence.signed_at) as signed_at,
    latest.replaced_by, evidence.source, evidence.header_key, evidence.body, evidence.batch_id, evidence.received_at,
    evidence.unpacked_length
from payrecon.evidence
left join lateral (
    select judgements.*
    from payrecon.judgements
    where judgements.sha256 = evidence.sha256
        and evidence.verdict <> 'genuine'
    order by judgements.batch_id desc, judgements.chunk desc
    limit 1
) as latest on true;
