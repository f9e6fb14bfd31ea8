-- purpose: notes the subscriptions and purchases that fresh evidence tells of, and the evidence that somebody handed over
--          or that is not genuine, for the next match run.
-- parameters: batch_id (bigint)
-- grain:   at most two rows per chunk
insert into changes (batch_id, kind, first_id, ids)
select :'batch_id'::bigint, changed.kind, min(changed.id), array_agg(changed.id)
from (
    select distinct 'chain' as kind, staged_transaction.original_transaction_id as id
    from staged_transaction
    inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
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
