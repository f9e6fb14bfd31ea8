-- purpose: counts the genuine evidence that a chunk told anew, by the hour of Apple's signature, else of its reception; and
--          notes the apps that have charges.
-- parameters: batch_id (bigint)
-- grain:   one row per hour
with charged as (
    insert into charged_apps (bundle_id)
    select distinct staged_transaction.bundle_id
    from staged_transaction
    inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
    on conflict do nothing
),
told as (
    select coalesce(staged_evidence.signed_at, staged_evidence.received_at) as fact_at
    from fresh_evidence
    inner join staged_evidence
        on staged_evidence.sha256 = fresh_evidence.sha256
        and staged_evidence.item = fresh_evidence.item
    where staged_evidence.verdict = 'genuine'
)
insert into input_hours as known (batch_id, kind, fact_hour, row_count, newest_fact_at)
select :'batch_id'::bigint, 'apple', date_trunc('hour', fact_at, 'UTC'), count(*), max(fact_at)
from told
group by date_trunc('hour', fact_at, 'UTC')
on conflict (batch_id, fact_hour) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
