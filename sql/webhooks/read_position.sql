-- purpose: the last entry of the audit chain read for events, and its newest entry.
-- grain:   one row: null if nothing was read yet
select
    (select webhook_reading.audit_number from webhook_reading) as read_number,
    coalesce((select max(audit_log.number) from audit_log), 0) as last_number,
    coalesce((select max(webhook_events.number) from webhook_events), 0) as event_number;
