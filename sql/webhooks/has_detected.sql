-- purpose: whether a run ended that may have raised something.
-- parameters: after, through (bigint): numbers of the audit chain
-- grain:   one row
select exists (
    select 1
    from audit_log as log
    where log.number > :'after'::bigint
        and log.number <= :'through'::bigint
        and log.act = 'run_ended'
        and log.actor in ('detect', 'nightly', 'tieout')
) as has_detected;
