-- purpose: age of the last event sent, and the number of acts and verdicts in the audit chain not yet gathered.
-- grain:   one row; none if nothing was ever sent
select
    rfc3339(reading.sent_at) as sent_at,
    extract(epoch from clock_timestamp() - reading.sent_at)::bigint as seconds,
    (
        select count(*)
        from audit_log as log
        where log.number > reading.audit_number
            and is_webhook_act(log.act)
    ) as waiting_count
from webhook_reading as reading;
