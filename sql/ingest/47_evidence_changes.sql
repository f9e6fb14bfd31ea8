-- purpose: queues for the next match run: chains named by new evidence, and evidence that was uploaded, is not genuine, or
--          has a changed verdict.
-- parameters: batch_id (bigint)
-- grain:   at most two rows per chunk
insert into changes (batch_id, kind, first_id, ids)
-- Known items that were posted in a new text, which an order may name.
with posted as materialized (
    select staged_evidence.sha256, staged_evidence.verdict
    from staged_evidence
    inner join evidence_links
        on evidence_links.sha256 = staged_evidence.sha256
        and evidence_links.parent_sha256 = staged_evidence.body_sha256
    where evidence_links.batch_id = :'batch_id'::bigint
)
select :'batch_id'::bigint, changed.kind, min(changed.id), array_agg(changed.id)
from (
    select 'chain' as kind, statement.original_transaction_id as id
    from (
        select original_transaction_id, evidence_sha256 from staged_transaction
        union all
        select original_transaction_id, evidence_sha256 from staged_renewal_info
        union all
        select original_transaction_id, evidence_sha256 from staged_notification
    ) as statement
    inner join informative_evidence on informative_evidence.sha256 = statement.evidence_sha256
    where statement.original_transaction_id is not null
    group by statement.original_transaction_id
    union
    -- A posted transaction, or one in a posted notification.
    select 'chain', staged_transaction.original_transaction_id
    from staged_transaction
    inner join staged_evidence as item on item.sha256 = staged_transaction.evidence_sha256
    where item.sha256 in (select posted.sha256 from posted)
        or item.parent_sha256 in (select posted.sha256 from posted)
    union all
    select 'evidence', encode(statement.sha256, 'hex')
    from (
        select staged_evidence.sha256
        from staged_evidence
        where staged_evidence.user_id <> ''
            or staged_evidence.device_id <> ''
            or staged_evidence.order_id <> ''
        union
        select fresh_evidence.sha256
        from fresh_evidence
        inner join staged_evidence using (sha256, item)
        where staged_evidence.verdict <> 'genuine'
        union
        select posted.sha256
        from posted
        where posted.verdict <> 'genuine'
        union
        select usable_evidence.sha256
        from usable_evidence
    ) as statement
) as changed
group by changed.kind
on conflict (batch_id, kind, first_id) do update
set ids = changes.ids || excluded.ids;
