-- purpose: whether cases may have opened or closed: a run that finds breaks has ended, or somebody decided.
-- parameters: after, through (bigint): entry numbers of the audit chain
-- grain:   one row
select exists (
    select 1
    from audit_log as log
    where log.number > :'after'::bigint
        and log.number <= :'through'::bigint
        and is_webhook_act(log.act)
        and (log.act <> 'run_ended' or log.actor in ('detect', 'nightly', 'tieout'))
) as may_change_cases;
