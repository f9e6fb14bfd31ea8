-- purpose: Apple's open consumption requests about some chains and our answers, as phrases and as fields.
-- parameters: chains, bundle_ids, environments (text[]): parallel arrays; as_of (timestamptz), answer_within (interval): Apple's
--             time for answers, warn_before (interval): time left from which a request is urgent
-- grain:   one row per open request and answer, urgent requests first
with chain as materialized (
    select named.*
    from unnest(:'chains'::text[], :'bundle_ids'::text[], :'environments'::text[])
        as named (original_transaction_id, bundle_id, environment)
),
request as materialized (
    select asked.*, asked.requested_at + :'answer_within'::interval as due_at
    from consumption_requests_at(
        :'as_of'::timestamptz, '-infinity', array(select distinct chain.original_transaction_id from chain)
    ) as asked
    inner join chain using (original_transaction_id, bundle_id, environment)
    where asked.closed_at is null
),
-- Answers that payrecon sent, and those that people recorded.
recorded_answer as (
    select
        outcomes.transaction_id, outcomes.bundle_id, outcomes.environment, outcomes.requested_at, outcomes.ended_at,
        outcomes.outcome, null as person, outcomes.reason
    from consumption_outcomes as outcomes
    union all
    select
        answers.transaction_id, answers.bundle_id, answers.environment, null, answers.answered_at, answers.outcome,
        answers.person, answers.reason
    from consumption_answers as answers
),
answer as materialized (
    select distinct
        ended.transaction_id, ended.bundle_id, ended.environment, ended.requested_at, ended.ended_at, ended.outcome, ended.person,
        ended.reason, intents.body, intents.body_sha256
    from chain
    inner join transactions using (original_transaction_id, bundle_id, environment)
    inner join recorded_answer as ended using (transaction_id, bundle_id, environment)
    left join consumption_intents as intents using (transaction_id, bundle_id, environment, requested_at)
    where ended.ended_at <= :'as_of'::timestamptz
),
line as (
    select
        urgency.is_urgent, 'request' as kind, rfc3339(request.requested_at) || request.transaction_id as part,
        phrase(case
            when urgency.is_urgent then 'explain.request_urgent'
            when request.due_at <= :'as_of'::timestamptz then 'explain.request_overdue'
            else 'explain.request_open'
        end, 'at', rfc3339(request.requested_at), 'id', request.transaction_id, 'by', rfc3339(request.due_at)) as text,
        json_build_object(
            'bundle_id', request.bundle_id, 'environment', request.environment, 'transaction_id', request.transaction_id,
            'requested_at', rfc3339(request.requested_at), 'due_at', rfc3339(request.due_at), 'is_urgent', urgency.is_urgent
        ) as fields
    from request
    cross join lateral (
        select :'as_of'::timestamptz < request.due_at
            and request.due_at <= :'as_of'::timestamptz + :'warn_before'::interval as is_urgent
    ) as urgency
    union all
    select
        false, 'answer', rfc3339(answer.ended_at) || answer.transaction_id,
        phrase('explain.answer', jsonb_build_object('at', rfc3339(answer.ended_at), 'id', answer.transaction_id, 'facts', jsonb_build_array(
            phrase('word.' || outcome), phrase('explain.recorded_by', 'person', person), nullif(reason, ''), body
        ))),
        json_build_object(
            'bundle_id', answer.bundle_id, 'environment', answer.environment, 'transaction_id', answer.transaction_id,
            'requested_at', rfc3339(answer.requested_at), 'ended_at', rfc3339(answer.ended_at), 'outcome', answer.outcome,
            'person', answer.person, 'reason', nullif(answer.reason, ''), 'body', answer.body, 'body_sha256', answer.body_sha256
        )
    from answer
)
select line.kind, line.text::text, line.fields::text as fields, line.is_urgent
from line
order by line.is_urgent desc, line.part collate "C", line.text::text collate "C";
