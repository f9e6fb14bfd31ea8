-- purpose: Returns the seals of evidence or of later verdicts in the audit chain. A tampered entry is omitted, so that its rows
--          are reported as unsealed and the check of the others goes on.
create or replace function payrecon.audit_seals(act text) returns table (
    number bigint, batch_id bigint, chunk bigint, row_count bigint, digest text
)
language sql stable parallel safe
as $$
    select
        audit_log.number, split_part(audit_log.subject, '/', 1)::bigint, split_part(audit_log.subject, '/', 2)::bigint,
        (audit_log.details::json ->> 'rows')::bigint, audit_log.details::json ->> 'digest'
    from payrecon.audit_log
    where audit_log.act = audit_seals.act
        and audit_log.subject ~ '^\d{1,18}/\d{1,18}$'
        and audit_log.details ~ '^\{"rows" ?: ?\d{1,18}, ?"digest" ?: ?"[0-9a-f]{64}"\}$'
$$;
