-- purpose: counts a chunk's new genuine evidence by app, environment and hour of Apple's statement, except evidence dated
--          ahead; and records the apps that have charges.
-- parameters: batch_id (bigint)
-- grain:   one row per app, environment and hour
with charged as (
    insert into charged_apps (bundle_id)
    select distinct staged_transaction.bundle_id
    from staged_transaction
    inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
    on conflict do nothing
),
-- Rows of a receipt or answer have the instant of the whole. An answer to our own request counts at the clock of the request,
-- also if Apple signed it later or not at all. An upload today says nothing about when Apple made the statement.
signed_container as (
    select sha256, max(signed_at) as signed_at
    from staged_evidence
    where signed_at is not null
        and sha256 in (select part.parent_sha256 from staged_evidence as part where part.signed_at is null)
    group by sha256
),
fact as (
    select
        staged_evidence.bundle_id, staged_evidence.environment,
        least(
            coalesce(staged_evidence.signed_at, signed_container.signed_at),
            case when staged_evidence.is_from_apple then staged_evidence.received_at end
        ) as fact_at
    from fresh_evidence
    inner join staged_evidence using (sha256, item)
    left join signed_container on signed_container.sha256 = staged_evidence.parent_sha256
    where staged_evidence.verdict = 'genuine'
)
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, newest_fact_at)
select :'batch_id'::bigint, 'apple', bundle_id, environment, date_trunc('hour', fact_at, 'UTC'), count(*), max(fact_at)
from fact
where fact_at <= (select latest_credible_instant(:'batch_id'::bigint))
group by bundle_id, environment, date_trunc('hour', fact_at, 'UTC')
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
