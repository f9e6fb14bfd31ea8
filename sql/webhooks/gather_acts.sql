-- purpose: decisions and verdicts in the audit chain as events, without their free text.
-- parameters: after, through (bigint): entry numbers of the chain
-- grain:   one row per event
insert into webhook_events (event_id, kind, subject_id, data, at)
select
    'audit-' || log.number,
    case when log.act = 'run_ended' then 'run.ended' else 'case.decided' end,
    case when log.act = 'run_ended' then log.details::json ->> 'run' else log.subject end,
    case
        when log.act = 'run_ended'
            then json_build_object(
                'job', log.actor, 'attempt', (log.details::json ->> 'attempt')::bigint, 'verdict', log.details::json ->> 'verdict'
            )::text
        else json_build_object(
            'act', substr(log.act, 6), 'decision_id', log.details::json ->> 'decision', 'action', decision.action,
            'outcome', decision.outcome, 'account', log.login
        )::text
    end,
    log.at
from audit_log as log
-- Approvals and undos do not repeat action and outcome in the chain, so they are read from the decision.
left join lateral (
    select case_decisions.action, case_decisions.outcome
    from case_decisions
    where case_decisions.case_id = log.subject
        and case_decisions.decision_id = log.details::json ->> 'decision'
    limit 1
) as decision on true
where log.number > :'after'::bigint
    and log.number <= :'through'::bigint
    and is_webhook_act(log.act)
order by log.number;
