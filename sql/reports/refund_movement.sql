-- purpose: how the money that is given back moved: what stood at the beginning of a period, what was given back in it, what Apple charged
--          again, and what stands at its end; as the refunds and reversals are known at the clock.
-- parameters: none; rows/ask.sql says the clock
-- grain:   one row per scope (calendar or fiscal), period and currency in which something moved
with moved as (
    select
        told.scope, told.period, told.currency,
        count(*) filter (where told.is_refund) as given_count,
        coalesce(sum(told.milliunits) filter (where told.is_refund), 0) as given,
        count(*) filter (where not told.is_refund) as reversed_count,
        coalesce(sum(told.milliunits) filter (where not told.is_refund), 0) as reversed
    from refund_moves() as told
    group by told.scope, told.period, told.currency
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
    summed.given_count,
    summed.given as given_milliunits,
    summed.reversed_count,
    summed.reversed as reversed_milliunits,
    summed.closing as closing_milliunits
from summed
order by summed.scope, summed.period collate "C", summed.currency collate "C";
