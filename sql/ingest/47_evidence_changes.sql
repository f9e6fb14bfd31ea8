-- purpose: notes the subscriptions and purchases that fresh evidence tells of, and the evidence that somebody handed over
--          or that is not genuine, for the next match run.
-- parameters: batch_id (bigint)
-- grain:   at most two rows per chunk
insert into changes (batch_id, kind, first_id, ids)
select :'batch_id'::bigint, changed.kind, min(changed.id), array_agg(changed.id)
from (
    select 'chain' as kind, told.original_transaction_id as id
    from (
        select original_transaction_id, evidence_sha256 from staged_transaction
        union all
        select original_transaction_id, evidence_sha256 from staged_renewal_info
        union all
        select original_transaction_id, evidence_sha256 from staged_notification
    ) as told
    inner join fresh_evidence on fresh_evidence.sha256 = told.evidence_sha256
    where told.original_transaction_id is not null
    group by told.original_transaction_id
    union all
    select distinct 'evidence', staged_evidence.sha256
    from staged_evidence
    where staged_evidence.user_id <> ''
        or staged_evidence.device_id <> ''
        or staged_evidence.order_id <> ''
        or staged_evidence.verdict <> 'genuine'
) as changed
group by changed.kind
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
