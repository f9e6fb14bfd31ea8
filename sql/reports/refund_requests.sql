-- purpose: movement of customers' refund requests in Production: open when a period begins, asked, granted, declined, open when
--          it ends; and how we answered those that were asked in the period.
-- grain:   one row per calendar month and currency with a request or a decision
with summed as (
    select
        move.period, move.currency,
        count(*) filter (where move.is_asked) as asked_count,
        count(*) filter (where not move.is_asked and move.decision = 'granted') as granted_count,
        count(*) filter (where not move.is_asked and move.decision = 'declined') as declined_count,
        count(*) filter (where move.is_asked and move.decision is null) as undecided_count,
        count(*) filter (where move.is_asked and move.answer_figure = 'answered_count') as answered_count,
        count(*) filter (where move.is_asked and move.answer_figure = 'no_consent_count') as no_consent_count,
        count(*) filter (where move.is_asked and move.answer_figure = 'expired_count') as expired_count,
        count(*) filter (where move.is_asked and move.answer_figure = 'decided_first_count') as decided_first_count,
        count(*) filter (where move.is_asked and move.answer_figure = 'in_time_count') as in_time_count,
        sum(count(*) filter (where move.is_asked) - count(*) filter (where not move.is_asked)) over (
            partition by move.currency
            order by move.period collate "C"
        ) as closing_count
    from refund_request_moves() as move
    group by move.period, move.currency
)
select
    'calendar' as scope, summed.period, summed.currency,
    summed.closing_count - summed.asked_count + summed.granted_count + summed.declined_count as opening_count,
    summed.asked_count, summed.granted_count, summed.declined_count, summed.closing_count, summed.undecided_count,
    summed.answered_count, summed.no_consent_count, summed.expired_count, summed.decided_first_count,
    summed.in_time_count
from summed
order by summed.period collate "C", summed.currency collate "C";
