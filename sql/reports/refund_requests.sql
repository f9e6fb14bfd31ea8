-- purpose: movement of customers' refund requests in Production: open when a period begins, asked, granted, declined, open when
--          it ends; and how we answered those that were asked in the period.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per calendar month and currency with a request or a decision
-- rules:   functions/apple/refund_requests_at.sql
with app as (select entry.bundle_id, entry.zone from viewed_apps() as entry),
request as materialized (
    select
        asked.*, coalesce(charges.currency, '') as currency,
        to_char(asked.asked_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM') as asked_period,
        to_char(asked.decided_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM') as decided_period
    from refund_requests_at(viewed_at()) as asked
    inner join charges
        on charges.original_transaction_id = asked.original_transaction_id
        and charges.charge_id = asked.charge_id
    left join app on app.bundle_id = asked.bundle_id
    where asked.environment = 'Production'
),
moved as (
    select
        move.period, request.currency,
        count(*) filter (where move.is_asked) as asked_count,
        count(*) filter (where not move.is_asked and request.decision = 'granted') as granted_count,
        count(*) filter (where not move.is_asked and request.decision = 'declined') as declined_count,
        count(*) filter (where move.is_asked and request.decision is null) as undecided_count,
        count(*) filter (where move.is_asked and request.answer = 'sent') as answered_count,
        count(*) filter (where move.is_asked and request.answer = 'no_consent') as no_consent_count,
        count(*) filter (where move.is_asked and request.answer is null and request.due_at <= viewed_at()) as expired_count,
        count(*) filter (where move.is_asked and request.answer is null and request.due_at > viewed_at()) as in_time_count
    from request
    cross join lateral (values (request.asked_period, true), (request.decided_period, false)) as move (period, is_asked)
    where move.period is not null
    group by move.period, request.currency
),
summed as (
    select
        moved.*,
        sum(moved.asked_count - moved.granted_count - moved.declined_count) over (
            partition by moved.currency
            order by moved.period collate "C"
        ) as closing_count
    from moved
)
select
    'calendar' as scope, summed.period, summed.currency,
    summed.closing_count - summed.asked_count + summed.granted_count + summed.declined_count as opening_count,
    summed.asked_count, summed.granted_count, summed.declined_count, summed.closing_count, summed.undecided_count,
    summed.answered_count, summed.no_consent_count, summed.expired_count, summed.in_time_count
from summed
order by summed.period collate "C", summed.currency collate "C";
