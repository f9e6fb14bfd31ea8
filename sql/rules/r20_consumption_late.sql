-- purpose: R20 consumption late: Apple asked how much was consumed, and nobody answered in time.
-- traps:   without the customer's consent nothing may be sent: that is an answer too, when it is recorded; once Apple has
--          decided, an answer changes nothing.
-- parameters: version (bigint), as_of (timestamptz), answer_within, window (interval)
-- grain:   one suspicion per transaction Apple asked about
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency, amount_milliunits,
    score, happened_at, detail, inputs
)
with request as materialized (
    select notifications.bundle_id, notifications.signed_at, notifications.evidence_sha256
    from notifications
    where notifications.type = 'CONSUMPTION_REQUEST'
        and notifications.environment = 'Production'
        and notifications.signed_at >= :'as_of'::timestamptz - :'window'::interval
        and notifications.signed_at <= :'as_of'::timestamptz
),
request_part as materialized (
    select request.bundle_id, request.signed_at, evidence_links.sha256
    from request
    inner join evidence_links on evidence_links.parent_sha256 = request.evidence_sha256
),
asked as (
    select
        told.charge_id, told.original_transaction_id, told.transaction_id, request_part.bundle_id,
        min(request_part.signed_at) as asked_at
    from request_part
    inner join evidence as told on told.sha256 = request_part.sha256
    where told.charge_id is not null
    group by told.charge_id, told.original_transaction_id, told.transaction_id, request_part.bundle_id
),
decision as materialized (
    select notifications.signed_at, notifications.evidence_sha256
    from notifications
    where notifications.type in ('REFUND', 'REFUND_DECLINED')
        and notifications.signed_at >= :'as_of'::timestamptz - :'window'::interval
        and notifications.signed_at <= :'as_of'::timestamptz
),
decision_part as materialized (
    select decision.signed_at, evidence_links.sha256
    from decision
    inner join evidence_links on evidence_links.parent_sha256 = decision.evidence_sha256
),
decided as (
    select told.charge_id, max(decision_part.signed_at) as decided_at
    from decision_part
    inner join evidence as told on told.sha256 = decision_part.sha256
    group by told.charge_id
),
late as materialized (
    select
        asked.charge_id, asked.original_transaction_id, asked.transaction_id, asked.bundle_id, asked.asked_at
    from asked
    left join decided on decided.charge_id = asked.charge_id
    where asked.asked_at + :'answer_within'::interval <= :'as_of'::timestamptz
        and not coalesce(decided.decided_at >= asked.asked_at, false)
        and not exists (
            select 1
            from consumption_answers
            where consumption_answers.transaction_id = asked.transaction_id
                and consumption_answers.answered_at >= asked.asked_at
                and consumption_answers.answered_at <= :'as_of'::timestamptz
        )
),
charged as materialized (
    select late.*, charges.currency, charges.price_milliunits, matches.order_id
    from late
    inner join charges
        on charges.original_transaction_id = late.original_transaction_id
        and charges.charge_id = late.charge_id
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
),
holder as materialized (
    select distinct orders.order_id, orders.user_id
    from charged
    inner join orders on orders.order_id = charged.order_id
)
select
    'R20',
    :'version'::bigint,
    'charge',
    charged.charge_id,
    charged.bundle_id,
    holder.user_id,
    charged.order_id,
    charged.charge_id,
    charged.currency,
    charged.price_milliunits,
    1,
    charged.asked_at + :'answer_within'::interval,
    'Apple asked ' || rfc3339(charged.asked_at) || ', no answer by '
        || rfc3339(charged.asked_at + :'answer_within'::interval),
    json_build_object(
        'transaction_id', charged.transaction_id, 'asked_at', rfc3339(charged.asked_at),
        'due_at', rfc3339(charged.asked_at + :'answer_within'::interval)
    )::text
from charged
left join holder on holder.order_id = charged.order_id;
