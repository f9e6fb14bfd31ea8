-- purpose: stores the nesting, renewal infos, notifications and unrecognised values of new evidence, and queues the
--          subscriptions that it concerns.
-- grain:   one row per link, renewal info, notification, unrecognised value and queued subscription
insert into evidence_links (sha256, parent_sha256)
with inside as materialized (
    select distinct staged_evidence.sha256, staged_evidence.parent_sha256, fresh_evidence.is_known
    from staged_evidence
    inner join fresh_evidence on fresh_evidence.sha256 = staged_evidence.parent_sha256
),
-- New items have no known links. For a re-verified item all its nested items are looked up, however often they occur elsewhere.
known as materialized (
    select evidence_links.sha256, evidence_links.parent_sha256
    from (select distinct inside.parent_sha256 from inside where inside.is_known) as parent
    inner join evidence_links on evidence_links.parent_sha256 = parent.parent_sha256
)
select inside.sha256, inside.parent_sha256 from inside
except
select known.sha256, known.parent_sha256 from known;
insert into renewal_infos
select distinct on (
    staged_renewal_info.original_transaction_id, staged_renewal_info.evidence_sha256, staged_renewal_info.signed_at,
    staged_renewal_info.bundle_id
)
    staged_renewal_info.*
from staged_renewal_info
inner join informative_evidence on informative_evidence.sha256 = staged_renewal_info.evidence_sha256
order by
    staged_renewal_info.original_transaction_id, staged_renewal_info.evidence_sha256, staged_renewal_info.signed_at,
    staged_renewal_info.bundle_id
on conflict do nothing;
insert into notifications
select distinct on (staged_notification.notification_uuid, staged_notification.evidence_sha256) staged_notification.*
from staged_notification
inner join fresh_evidence on fresh_evidence.sha256 = staged_notification.evidence_sha256
order by staged_notification.notification_uuid, staged_notification.evidence_sha256
on conflict do nothing;
insert into unrecognized_values (sha256, field, value, batch_id)
with unrecognized as materialized (
    select distinct
        staged_unrecognized.sha256, staged_unrecognized.field, staged_unrecognized.value, evidence.batch_id
    from staged_unrecognized
    inner join fresh_evidence on fresh_evidence.sha256 = staged_unrecognized.sha256
    inner join evidence on evidence.sha256 = staged_unrecognized.sha256
),
judged as materialized (
    select judgements.sha256, max(judgements.batch_id) as batch_id
    from (select distinct unrecognized.sha256 from unrecognized) as news
    inner join judgements on judgements.sha256 = news.sha256
    group by judgements.sha256
)
select
    unrecognized.sha256, unrecognized.field, unrecognized.value,
    -- A value known from a re-verification takes that batch.
    coalesce(judged.batch_id, unrecognized.batch_id)
from unrecognized
left join judged on judged.sha256 = unrecognized.sha256
order by unrecognized.sha256, unrecognized.field, unrecognized.value
on conflict do nothing;
insert into renewal_news (original_transaction_id, batch_id)
select news.original_transaction_id, max(news.batch_id)
from (
    select staged_transaction.original_transaction_id, staged_transaction.batch_id
    from staged_transaction
    inner join informative_evidence on informative_evidence.sha256 = staged_transaction.evidence_sha256
    where is_subscription_period(staged_transaction.type, staged_transaction.expires_at)
    union all
    select staged_renewal_info.original_transaction_id, staged_renewal_info.batch_id
    from staged_renewal_info
    inner join informative_evidence on informative_evidence.sha256 = staged_renewal_info.evidence_sha256
    union all
    select staged_notification.original_transaction_id, staged_notification.batch_id
    from staged_notification
    inner join informative_evidence on informative_evidence.sha256 = staged_notification.evidence_sha256
    where staged_notification.original_transaction_id is not null
) as news
group by news.original_transaction_id
on conflict (original_transaction_id) do update set batch_id = excluded.batch_id;
