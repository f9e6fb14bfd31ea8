-- purpose: acts on cases as events for the accounts concerned: those that a note mentions, the assignee, followers, and the
--          accounts of earlier steps of the same decision. The account that acts is not notified.
-- parameters: after, through (bigint): entry numbers of the chain
-- grain:   one row per act and account
insert into webhook_events (event_id, kind, subject_id, data, at)
with act as materialized (
    select
        log.number, log.at, log.act, log.subject as case_id, coalesce(log.details::json ->> 'account', log.login) as account,
        log.details::json ->> 'decision' as decision_id
    from audit_log as log
    where log.number > :'after'::bigint
        and log.number <= :'through'::bigint
        and log.act <> 'run_ended'
        and (is_webhook_act(log.act) or log.act in ('note_added', 'case_assigned'))
),
concerned as (
    select act.number, mentioned.account, 'mentioned' as why, 1 as place
    from act
    inner join case_notes on case_notes.case_id = act.case_id and case_notes.at = act.at and case_notes.account = act.account
    cross join lateral unnest(case_notes.mentions) as mentioned (account)
    where act.act = 'note_added'
    union all
    select act.number, newest.assignee, 'assigned', 2
    from act
    cross join lateral (
        select case_marks.assignee
        from case_marks
        where case_marks.case_id = act.case_id
            and case_marks.topic = 'assignment'
        order by case_marks.number desc
        limit 1
    ) as newest
    union all
    select act.number, case_decisions.account, 'decided', 3
    from act
    inner join case_decisions using (case_id, decision_id)
    where case_decisions.step in ('proposed', 'effective')
    union all
    select act.number, newest.account, 'following', 4
    from act
    cross join lateral (
        select distinct on (case_marks.account) case_marks.account, case_marks.is_set
        from case_marks
        where case_marks.case_id = act.case_id
            and case_marks.topic = 'following'
        order by case_marks.account asc, case_marks.number desc
    ) as newest
    where newest.is_set
),
notified as (
    select distinct on (concerned.number, concerned.account) concerned.number, concerned.account, concerned.why
    from concerned
    order by concerned.number, concerned.account, concerned.place
)
select
    'notice-' || act.number || '-' || notified.account, 'account.notified', act.case_id,
    json_build_object(
        'account', notified.account, 'why', notified.why, 'by', act.account,
        'act', case act.act when 'note_added' then 'note' else substr(act.act, 6) end,
        'action', (
            select min(case_decisions.action)
            from case_decisions
            where case_decisions.case_id = act.case_id
                and case_decisions.decision_id = act.decision_id
        ),
        'names', array_to_string(kept.names, ' ')
    )::text,
    act.at
from notified
inner join act on act.number = notified.number
inner join console_workers() as worker on worker.account = notified.account
left join console_cases as kept on kept.case_id = act.case_id
where notified.account <> act.account
    and (cardinality(worker.inboxes) = 0 or kept.teams && worker.inboxes)
order by act.number, notified.account;
