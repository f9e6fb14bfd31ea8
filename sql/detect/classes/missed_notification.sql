-- purpose: MISSED_NOTIFICATION: Apple could not deliver a notification, and it never arrived at our endpoint.
-- grain:   one finding per notification
insert into finding (
    class, subject_id, bundle_id, environment, transaction_id, breaks_at, detail
)
select
    'MISSED_NOTIFICATION',
    'notification:' || missed_notifications.evidence_sha256,
    evidence.bundle_id,
    evidence.environment,
    notifications.original_transaction_id,
    evidence.signed_at,
    'Apple could not deliver ' || notifications.type || ' (' || missed_notifications.last_result || ')'
from missed_notifications
inner join in_judged_evidence as evidence on evidence.sha256 = missed_notifications.evidence_sha256
inner join in_notifications as notifications on notifications.evidence_sha256 = evidence.sha256
where evidence.verdict = 'genuine'
    and not exists (
        select 1
        from in_notifications as arrived
        inner join in_judged_evidence as delivered on delivered.sha256 = arrived.evidence_sha256
        left join in_uploads as uploads on uploads.sha256 = delivered.sha256 and uploads.source = 'notification'
        where arrived.notification_uuid = notifications.notification_uuid
            and (delivered.source = 'notification' or uploads.sha256 is not null)
    );
