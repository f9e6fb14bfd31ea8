-- purpose: decisions and verdicts that entered the audit chain, as events; of an act what it was, never the words beside it.
-- parameters: after, through (bigint): numbers of the chain
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
            'act', substr(log.act, 6), 'decision_id', log.details::json ->> 'decision', 'action', log.details::json ->> 'action',
            'outcome', log.details::json ->> 'outcome', 'account', log.login
        )::text
    end,
    log.at
from audit_log as log
where log.number > :'after'::bigint
    and log.number <= :'through'::bigint
    and is_webhook_act(log.act)
order by log.number;
