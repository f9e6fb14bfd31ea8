-- purpose: counts a chunk's new evidence by app, environment and hour of Apple's statement; and records the apps that have
--          charges. Received items that are not genuine, have no instant or are dated ahead have no hour.
-- parameters: batch_id (bigint)
-- grain:   one row per app, environment and hour
with charged as (
    insert into charged_apps (bundle_id)
    select distinct staged_transaction.bundle_id
    from staged_transaction
    inner join fresh_evidence on fresh_evidence.sha256 = staged_transaction.evidence_sha256
    on conflict do nothing
),
-- Rows of a receipt or answer count with the whole. An answer to our own request counts at the clock of the request, also if
-- Apple signed it later or not at all. An upload today says nothing about when Apple made the statement.
item as materialized (
    select
        staged_evidence.bundle_id, staged_evidence.environment,
        case
            when staged_evidence.verdict = 'genuine' then least(
                staged_evidence.signed_at, case when staged_evidence.is_from_apple then staged_evidence.received_at end
            )
        end as fact_at
    from fresh_evidence
    inner join staged_evidence using (sha256, item)
    where staged_evidence.is_top
        or (staged_evidence.verdict = 'genuine' and staged_evidence.signed_at is not null)
),
fact as (
    select item.bundle_id, item.environment, item.fact_at
    from item
    where item.fact_at <= (select latest_credible_instant(:'batch_id'::bigint))
    union all
    select '', '', 'infinity'
    from item
    where coalesce(item.fact_at > (select latest_credible_instant(:'batch_id'::bigint)), true)
)
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, newest_fact_at)
select :'batch_id'::bigint, 'apple', bundle_id, environment, date_trunc('hour', fact_at, 'UTC'), count(*), max(fact_at)
from fact
group by bundle_id, environment, date_trunc('hour', fact_at, 'UTC')
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
