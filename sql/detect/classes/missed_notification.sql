-- purpose: MISSED_NOTIFICATION: Apple could not deliver a notification, and our endpoint never received it.
-- grain:   one finding per notification
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, breaks_at, detail
)
with newest as (
    select distinct on (missed_notifications.evidence_sha256)
        missed_notifications.evidence_sha256, missed_notifications.last_result
    from missed_notifications
    order by missed_notifications.evidence_sha256, missed_notifications.attempt_count desc, missed_notifications.last_result
),
missed as materialized (
    select newest.evidence_sha256, newest.last_result, evidence.bundle_id, evidence.environment, evidence.signed_at
    from newest
    inner join in_judged_evidence as evidence on evidence.sha256 = newest.evidence_sha256
    where newest.last_result <> 'SUCCESS'
        and evidence.verdict = 'genuine'
),
wanted as materialized (
    select missed.*, notifications.notification_uuid, notifications.type, notifications.original_transaction_id
    from missed
    inner join in_notifications as notifications on notifications.evidence_sha256 = missed.evidence_sha256
),
arrived as materialized (
    select notifications.notification_uuid, notifications.evidence_sha256
    from (select distinct wanted.notification_uuid from wanted) as named
    inner join in_notifications as notifications on notifications.notification_uuid = named.notification_uuid
),
taken as materialized (
    select arrived.notification_uuid
    from arrived
    inner join in_judged_evidence as evidence on evidence.sha256 = arrived.evidence_sha256
    where evidence.source = 'notification'
    union
    select arrived.notification_uuid
    from arrived
    inner join in_uploads as uploads on uploads.sha256 = arrived.evidence_sha256
    where uploads.source = 'notification'
)
select
    'MISSED_NOTIFICATION',
    'notification:' || encode(wanted.evidence_sha256, 'hex'),
    wanted.bundle_id,
    wanted.environment,
    wanted.original_transaction_id,
    wanted.signed_at,
    phrase('detail.not_delivered_notice', 'type', wanted.type, 'result', wanted.last_result)
from wanted
where not exists (select 1 from taken where taken.notification_uuid = wanted.notification_uuid);
