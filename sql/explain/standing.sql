-- purpose: the state of the subscriptions of some charges, Apple's notifications about them, consumption requests, and
--          Apple sources that were not queried, as phrases and as fields.
-- parameters: charge_ids, order_ids, users (text[]): selects these charges, those of the orders and those of the users;
--             as_of (timestamptz), answer_within (interval): Apple's time for answers, warn_before (interval): time left
--             from which a request is urgent, rows (bigint): limit of notifications
-- grain:   one row per subscription, notification, open request, our answer and source that was not queried; is_detail: it
--          belongs to the line before
with user_order as materialized (
    select distinct fact.id as order_id
    from unnest(:'users'::text[]) as named (user_id)
    cross join lateral facts_of_key(named.user_id, 'user') as fact
    where fact.side = 'order'
),
meant_order as materialized (select user_order.order_id from user_order union select unnest(:'order_ids'::text[])),
ordered as materialized (
    select orders.order_id, orders.bundle_id, orders.environment
    from meant_order
    inner join orders on orders.order_id = meant_order.order_id
),
matched as materialized (
    select matched_orders.charge_id, matched_orders.original_transaction_id
    from meant_order
    inner join matched_orders on matched_orders.order_id = meant_order.order_id
),
token as materialized (
    select user_tokens.app_account_token as token
    from user_tokens
    where user_tokens.user_id = any(:'users'::text[])
),
token_chain as materialized (
    select distinct fact.id as original_transaction_id
    from token
    cross join lateral facts_of_key(token.token, 'token') as fact
    where fact.side = 'chain'
),
charge as materialized (
    select charges.original_transaction_id, charges.bundle_id, charges.environment
    from charges
    where charges.charge_id = any(:'charge_ids'::text[])
    union
    select charges.original_transaction_id, charges.bundle_id, charges.environment
    from matched
    inner join charges
        on charges.original_transaction_id = matched.original_transaction_id
        and charges.charge_id = matched.charge_id
    union
    select charges.original_transaction_id, charges.bundle_id, charges.environment
    from token_chain
    inner join charges on charges.original_transaction_id = token_chain.original_transaction_id
    where charges.app_account_token in (select token.token from token)
),
chains as materialized (select coalesce(array_agg(distinct charge.original_transaction_id), '{}') as ids from charge),
subscription as materialized (
    select subscribed.*
    from chains
    cross join lateral subscriptions_of(:'as_of'::timestamptz, chains.ids) as subscribed
    inner join charge
        on charge.original_transaction_id = subscribed.original_transaction_id
        and charge.bundle_id = subscribed.bundle_id
        and charge.environment = subscribed.environment
),
request as materialized (
    select asked.*, asked.requested_at + :'answer_within'::interval as due_at
    from chains
    cross join lateral consumption_requests_at(:'as_of'::timestamptz, '-infinity', chains.ids) as asked
    inner join charge
        on charge.original_transaction_id = asked.original_transaction_id
        and charge.bundle_id = asked.bundle_id
        and charge.environment = asked.environment
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
    from charge
    inner join transactions
        on transactions.original_transaction_id = charge.original_transaction_id
        and transactions.bundle_id = charge.bundle_id
        and transactions.environment = charge.environment
    inner join recorded_answer as ended
        on ended.transaction_id = transactions.transaction_id
        and ended.bundle_id = transactions.bundle_id
        and ended.environment = transactions.environment
    left join consumption_intents as intents
        on intents.transaction_id = ended.transaction_id
        and intents.bundle_id = ended.bundle_id
        and intents.environment = ended.environment
        and intents.requested_at = ended.requested_at
    where ended.ended_at <= :'as_of'::timestamptz
),
notified as materialized (
    select distinct on (notifications.notification_uuid, notifications.signed_at)
        notifications.type, notifications.subtype, notifications.signed_at, notifications.evidence_sha256,
        charge.original_transaction_id, charge.bundle_id, charge.environment
    from charge
    inner join notifications
        on notifications.original_transaction_id = charge.original_transaction_id
        and notifications.bundle_id = charge.bundle_id
        and notifications.environment = charge.environment
    where notifications.signed_at <= :'as_of'::timestamptz
    order by notifications.notification_uuid, notifications.signed_at, notifications.evidence_sha256
),
newest as materialized (
    select notified.*, count(*) over () as notification_count
    from notified
    order by notified.signed_at desc, notified.evidence_sha256 desc
    limit :'rows'::bigint
),
part as materialized (
    select newest.evidence_sha256, evidence_links.sha256
    from newest
    inner join evidence_links on evidence_links.parent_sha256 = newest.evidence_sha256
),
about as (
    select part.evidence_sha256, min(evidence.transaction_id) as transaction_id
    from part
    inner join evidence on evidence.sha256 = part.sha256
    group by part.evidence_sha256
),
customer as materialized (
    select
        charge.bundle_id, charge.environment, charge.original_transaction_id,
        transactions.app_transaction_id, transactions.app_account_token
    from charge
    inner join transactions
        on transactions.original_transaction_id = charge.original_transaction_id
        and transactions.bundle_id = charge.bundle_id
        and transactions.environment = charge.environment
),
named as (
    select customer.bundle_id, customer.environment, customer.original_transaction_id, id.name
    from customer
    cross join lateral (
        values (customer.original_transaction_id), (customer.app_transaction_id), (customer.app_account_token)
    ) as id (name)
    where id.name is not null
    union
    select charge.bundle_id, charge.environment, charge.original_transaction_id, purchases.customer_id
    from charge
    inner join customer_purchases as purchases
        on purchases.original_transaction_id = charge.original_transaction_id
        and purchases.bundle_id = charge.bundle_id
        and purchases.environment = charge.environment
),
collected as (
    select collections.job, collections.bundle_id, collections.environment, collections.subject
    from collections
    where collections.bundle_id in (select ordered.bundle_id from ordered union select charge.bundle_id from charge)
        and collections.collected_to <= :'as_of'::timestamptz
        and (collections.job = 'notifications' or collections.subject in (select named.name from named))
),
source as (
    select 1 as place, app.bundle_id, app.environment, null as original_transaction_id, 'notification history' as source
    from (
        select charge.bundle_id, charge.environment from charge
        union
        select ordered.bundle_id, ordered.environment from ordered
    ) as app
    where (app.bundle_id, app.environment) not in (
        select collected.bundle_id, collected.environment from collected where collected.job = 'notifications'
    )
    union all
    select 2, subscription.bundle_id, subscription.environment, subscription.original_transaction_id, 'subscription status'
    from subscription
    where subscription.last_polled_at is null
    union all
    select 3, charge.bundle_id, charge.environment, charge.original_transaction_id, list.source
    from charge
    cross join lateral (values ('transactions', 'transaction history'), ('refunds', 'refund history')) as list (job, source)
    where not exists (
        select 1
        from named
        inner join collected
            on collected.bundle_id = named.bundle_id
            and collected.environment = named.environment
            and collected.subject = named.name
        where collected.job = list.job
            and named.bundle_id = charge.bundle_id
            and named.environment = charge.environment
            and named.original_transaction_id = charge.original_transaction_id
    )
),
line as (
    select
        1 as section, 'subscription' as kind, original_transaction_id || ' ' || bundle_id || ' ' || environment as part,
        phrase('explain.subscription_is', jsonb_build_object('id', original_transaction_id, 'facts', jsonb_build_array(
            case status
                when 'grace' then coalesce(phrase('explain.in_grace_until', 'at', rfc3339(grace_until)), phrase('explain.in_grace'))
                when 'billing_retry' then phrase('explain.in_billing_retry', 'at', rfc3339(retried_until(expires_at)))
                when 'active' then phrase('explain.active_until', 'at', rfc3339(expires_at))
                else jsonb_build_array(phrase('status.' || status), phrase('explain.ended', 'at', rfc3339(least(expires_at, revoked_at))))
            end,
            phrase(case
                when is_renewing then 'explain.renewal_on' when not is_renewing then 'explain.renewal_off' else 'explain.renewal_unknown'
            end),
            case when status = 'grace' then phrase('explain.paid_until', 'at', rfc3339(expires_at)) end,
            phrase(case expiration_intent
                when 1 then 'explain.customer_cancelled'
                when 2 then 'explain.renewal_uncharged'
                when 3 then 'explain.price_refused'
                when 4 then 'explain.not_for_sale'
                when 5 then 'explain.ended_otherwise'
            end),
            product_id, environment, phrase('explain.app', 'id', bundle_id),
            coalesce(phrase('explain.heard', 'at', rfc3339(heard_at)), phrase('explain.nothing_heard'))
        ))) as text,
        json_build_object(
            'bundle_id', bundle_id, 'environment', environment, 'original_transaction_id', original_transaction_id,
            'product_id', product_id, 'status', status, 'expires_at', rfc3339(expires_at), 'grace_until', rfc3339(grace_until),
            'revoked_at', rfc3339(revoked_at),
            'auto_renew', is_renewing, 'is_in_billing_retry', is_in_billing_retry,
            'retry_until', case when status in ('grace', 'billing_retry') then rfc3339(retried_until(expires_at)) end,
            'expiration_intent', expiration_intent, 'renewal_product_id', renewal_product_id,
            'renewal_milliunits', renewal_milliunits, 'renewal_currency', renewal_currency,
            'heard_at', rfc3339(heard_at), 'last_polled_at', rfc3339(last_polled_at)
        ) as fields
    from subscription
    union all
    select
        case when urgency.is_urgent then 0 else 2 end, 'request', rfc3339(request.requested_at) || request.transaction_id,
        phrase(case
            when urgency.is_urgent then 'explain.request_urgent'
            when request.due_at <= :'as_of'::timestamptz then 'explain.request_overdue'
            else 'explain.request_open'
        end, 'at', rfc3339(request.requested_at), 'id', request.transaction_id, 'by', rfc3339(request.due_at)),
        json_build_object(
            'bundle_id', request.bundle_id, 'environment', request.environment, 'transaction_id', request.transaction_id,
            'requested_at', rfc3339(request.requested_at), 'due_at', rfc3339(request.due_at), 'is_urgent', urgency.is_urgent
        )
    from request
    cross join lateral (
        select :'as_of'::timestamptz < request.due_at
            and request.due_at <= :'as_of'::timestamptz + :'warn_before'::interval as is_urgent
    ) as urgency
    union all
    select
        2, 'answer', rfc3339(answer.ended_at) || answer.transaction_id,
        phrase('explain.answer', jsonb_build_object('at', rfc3339(answer.ended_at), 'id', answer.transaction_id, 'facts', jsonb_build_array(
            phrase('word.' || outcome), phrase('explain.recorded_by', 'person', person), nullif(reason, ''), body
        ))),
        json_build_object(
            'bundle_id', answer.bundle_id, 'environment', answer.environment, 'transaction_id', answer.transaction_id,
            'requested_at', rfc3339(answer.requested_at), 'ended_at', rfc3339(answer.ended_at), 'outcome', answer.outcome,
            'person', answer.person, 'reason', nullif(answer.reason, ''), 'body', answer.body, 'body_sha256', answer.body_sha256
        )
    from answer
    union all
    select
        3, 'notification', rfc3339(newest.signed_at) || encode(newest.evidence_sha256, 'hex'),
        phrase('explain.notified', jsonb_build_object('at', rfc3339(newest.signed_at), 'facts', jsonb_build_array(
            notification_words(newest.type, newest.subtype), phrase('explain.transaction', 'id', about.transaction_id)
        ))),
        json_build_object(
            'bundle_id', newest.bundle_id, 'environment', newest.environment,
            'original_transaction_id', newest.original_transaction_id, 'transaction_id', about.transaction_id,
            'type', newest.type, 'subtype', newest.subtype, 'signed_at', rfc3339(newest.signed_at),
            'evidence_sha256', encode(newest.evidence_sha256, 'hex')
        )
    from newest
    left join about on about.evidence_sha256 = newest.evidence_sha256
    union all
    select 4, null, '', phrase('explain.older_notifications', 'count', (max(newest.notification_count) - count(*))::text), null
    from newest
    having max(newest.notification_count) > count(*)
    union all
    select
        5, 'source', source.place || ' ' || source.source || coalesce(source.original_transaction_id, '') || source.bundle_id
        || source.environment,
        phrase('explain.not_asked', jsonb_build_object('facts', jsonb_build_array(
            coalesce(
                phrase('explain.of', jsonb_build_object('what', phrase('word.' || source.source), 'id', source.original_transaction_id)),
                phrase('word.' || source.source)
            ),
            source.environment, phrase('explain.app', 'id', source.bundle_id)
        ))),
        json_build_object(
            'source', source.source, 'bundle_id', source.bundle_id, 'environment', source.environment,
            'original_transaction_id', source.original_transaction_id
        )
    from source
)
select line.kind, line.text::text, line.section in (3, 4) as is_detail, line.fields::text as fields
from line
order by line.section, line.part collate "C", line.text::text collate "C";
