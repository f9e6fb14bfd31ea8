-- purpose: records how far the audit chain was read.
-- parameters: through (bigint)
-- grain:   one row
update webhook_reading
set
    audit_number = :'through'::bigint,
    sent_at = clock_timestamp()
where webhook_reading.audit_number <= :'through'::bigint;
