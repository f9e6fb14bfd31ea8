-- purpose: whether a run that may have found something has ended.
-- parameters: after, through (bigint): entry numbers of the audit chain
-- grain:   one row
select exists (
    select 1
    from audit_log as log
    where log.number > :'after'::bigint
        and log.number <= :'through'::bigint
        and log.act = 'run_ended'
        and log.actor in ('detect', 'nightly', 'tieout')
) as has_detected;
