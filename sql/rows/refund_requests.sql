-- purpose: the refund requests behind each figure of their movement. A balance has those of every earlier month.
-- parameters: scope, period, currency, figure (text: column of the table; empty for all); rows/ask.sql sets the clock
-- grain:   one row per figure and request; the values of a figure add up to it
-- rules:   functions/apple/refund_requests_at.sql
with app as (select entry.bundle_id, entry.zone from viewed_apps() as entry),
request as materialized (
    select
        asked.*, coalesce(charges.currency, '') as currency, charges.product_id, charges.transaction_ids[1] as transaction_id,
        to_char(asked.asked_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM') as asked_period,
        to_char(asked.decided_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM') as decided_period
    from refund_requests_at(viewed_at()) as asked
    inner join charges
        on charges.original_transaction_id = asked.original_transaction_id
        and charges.charge_id = asked.charge_id
    left join app on app.bundle_id = asked.bundle_id
    where asked.environment = 'Production'
),
move as (
    select request.*, side.period, side.is_asked
    from request
    cross join lateral (values (request.asked_period, true), (request.decided_period, false)) as side (period, is_asked)
    where side.period is not null
),
place as (select distinct move.period, move.currency from move)
select
    'calendar' as scope, place.period, place.currency, part.figure, move.charge_id, move.transaction_id, move.bundle_id,
    move.product_id, move.reason, rfc3339(move.asked_at) as asked_at, move.answer, move.decision, part.value
from place
inner join move on move.currency = place.currency and move.period <= place.period
cross join lateral (
    select move.period = place.period as is_own, case when move.is_asked then 1 else -1 end as sign
) as side
cross join lateral (values
    ('opening_count', not side.is_own, side.sign), ('closing_count', true, side.sign),
    ('asked_count', side.is_own and move.is_asked, 1),
    (move.decision || '_count', side.is_own and not move.is_asked, 1),
    ('undecided_count', side.is_own and move.is_asked and move.decision is null, 1),
    (
        case
            when move.answer = 'sent' then 'answered_count'
            when move.answer is not null then 'no_consent_count'
            when move.due_at <= viewed_at() then 'expired_count'
            else 'in_time_count'
        end,
        side.is_own and move.is_asked, 1
    )
) as part (figure, is_counted, value)
where part.is_counted
    and :'scope'::text in ('', 'calendar')
    and :'period'::text in ('', place.period)
    and :'currency'::text in ('', coalesce(nullif(place.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
order by place.period, place.currency collate "C", part.figure, move.asked_at, move.charge_id collate "C", move.is_asked desc;
