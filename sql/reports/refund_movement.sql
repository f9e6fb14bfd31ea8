-- purpose: movement of refunded money: opening balance of a period, refunds, reversals by Apple, and closing balance, as
--          known at the clock.
-- grain:   one row per scope (calendar or fiscal), period and currency with a movement
with moved as (
    select
        move.scope, move.period, move.currency,
        count(*) filter (where move.is_refund) as given_count,
        coalesce(sum(move.milliunits) filter (where move.is_refund), 0) as given,
        count(*) filter (where not move.is_refund) as reversed_count,
        coalesce(sum(move.milliunits) filter (where not move.is_refund), 0) as reversed
    from refund_moves() as move
    group by move.scope, move.period, move.currency
),
summed as (
    select
        moved.*,
        sum(moved.given - moved.reversed) over (
            partition by moved.scope, moved.currency
            order by moved.period collate "C"
        ) as closing
    from moved
)
select
    summed.scope, summed.period, summed.currency,
    summed.closing - summed.given + summed.reversed as opening_milliunits,
    summed.given_count, summed.given as given_milliunits, summed.reversed_count, summed.reversed as reversed_milliunits,
    summed.closing as closing_milliunits
from summed
order by summed.scope, summed.period collate "C", summed.currency collate "C";
