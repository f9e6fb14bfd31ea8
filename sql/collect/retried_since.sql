-- purpose: the earliest signature among the notifications that Apple could not deliver so far and may still retry. Only
--          Apple's list states whether a later attempt succeeded, so it is read again from there.
-- parameters: bundle_id, environment (text), since (timestamptz): Apple no longer retries earlier notifications
-- grain:   one row, or none
with undelivered as materialized (
    select missed_notifications.evidence_sha256
    from missed_notifications
    group by missed_notifications.evidence_sha256
    having (
        array_agg(missed_notifications.last_result order by missed_notifications.attempt_count desc, missed_notifications.last_result)
    )[1] <> 'SUCCESS'
)
select min(evidence.signed_at) as signed_at
from undelivered
inner join evidence on evidence.sha256 = undelivered.evidence_sha256
where evidence.bundle_id = :'bundle_id'::text
    and evidence.environment = :'environment'::text
    and evidence.signed_at >= :'since'::timestamptz
having count(*) > 0;
