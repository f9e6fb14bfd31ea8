-- purpose: R20 consumption late: Apple asked how much was consumed, and nobody answered in time.
-- traps:   without the customer's consent nothing may be sent: that is an answer too, when it is recorded; once Apple has
--          decided, an answer changes nothing.
-- parameters: version (bigint), as_of (timestamptz), answer_within, window (interval)
-- grain:   one suspicion per transaction Apple asked about
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency, amount_milliunits,
    score, happened_at, detail, inputs
)
with asked as (
    select
        told.charge_id, told.original_transaction_id, told.transaction_id, notifications.bundle_id,
        min(notifications.signed_at) as asked_at
    from notifications
    inner join evidence_links on evidence_links.parent_sha256 = notifications.evidence_sha256
    inner join evidence as told on told.sha256 = evidence_links.sha256
    where notifications.type = 'CONSUMPTION_REQUEST'
        and notifications.environment = 'Production'
        and told.charge_id is not null
        and notifications.signed_at >= :'as_of'::timestamptz - :'window'::interval
        and notifications.signed_at <= :'as_of'::timestamptz
    group by told.charge_id, told.original_transaction_id, told.transaction_id, notifications.bundle_id
),
decided as (
    select told.charge_id, max(notifications.signed_at) as decided_at
    from notifications
    inner join evidence_links on evidence_links.parent_sha256 = notifications.evidence_sha256
    inner join evidence as told on told.sha256 = evidence_links.sha256
    where notifications.type in ('REFUND', 'REFUND_DECLINED')
        and notifications.signed_at >= :'as_of'::timestamptz - :'window'::interval
        and notifications.signed_at <= :'as_of'::timestamptz
    group by told.charge_id
)
select
    'R20',
    :'version'::bigint,
    'charge',
    asked.charge_id,
    asked.bundle_id,
    orders.user_id,
    matches.order_id,
    asked.charge_id,
    charges.currency,
    charges.price_milliunits,
    1,
    asked.asked_at + :'answer_within'::interval,
    'Apple asked ' || rfc3339(asked.asked_at) || ', no answer by '
        || rfc3339(asked.asked_at + :'answer_within'::interval),
    json_build_object(
        'transaction_id', asked.transaction_id, 'asked_at', rfc3339(asked.asked_at),
        'due_at', rfc3339(asked.asked_at + :'answer_within'::interval)
    )::text
from asked
inner join charges
    on charges.original_transaction_id = asked.original_transaction_id
    and charges.charge_id = asked.charge_id
left join matches
    on matches.original_transaction_id = asked.original_transaction_id
    and matches.charge_id = asked.charge_id
left join orders on orders.order_id = matches.order_id
left join decided on decided.charge_id = asked.charge_id
where asked.asked_at + :'answer_within'::interval <= :'as_of'::timestamptz
    and not coalesce(decided.decided_at >= asked.asked_at, false)
    and not exists (
        select
        from consumption_answers
        where consumption_answers.transaction_id = asked.transaction_id
            and consumption_answers.answered_at >= asked.asked_at
            and consumption_answers.answered_at <= :'as_of'::timestamptz
    );
