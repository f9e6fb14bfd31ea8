-- purpose: movement of refunded money: opening balance of a period, refunds, reversals by Apple, and closing balance, as
--          known at the clock.
-- grain:   one row per scope (calendar or fiscal), period and currency with a movement
with summed as (
    select
        move.scope, move.period, move.currency,
        count(*) filter (where move.is_refund) as given_count,
        coalesce(sum(move.milliunits) filter (where move.is_refund), 0) as given,
        count(*) filter (where not move.is_refund) as reversed_count,
        coalesce(sum(move.milliunits) filter (where not move.is_refund), 0) as reversed,
        sum(sum(case when move.is_refund then move.milliunits else -move.milliunits end)) over (
            partition by move.scope, move.currency
            order by move.period collate "C"
        ) as closing
    from refund_moves() as move
    group by move.scope, move.period, move.currency
)
select
    summed.scope, summed.period, summed.currency,
    summed.closing - summed.given + summed.reversed as opening_milliunits,
    summed.given_count, summed.given as given_milliunits, summed.reversed_count, summed.reversed as reversed_milliunits,
    summed.closing as closing_milliunits
from summed
order by summed.scope, summed.period collate "C", summed.currency collate "C";
