-- purpose: how far the audit chain was read for events, and how far it goes.
-- parameters: none
-- grain:   one row: null where nothing was read yet
select
    (select webhook_reading.audit_number from webhook_reading) as read_number,
    coalesce((select max(audit_log.number) from audit_log), 0) as last_number,
    coalesce((select max(webhook_events.number) from webhook_events), 0) as event_number;
