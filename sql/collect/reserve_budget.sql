-- purpose: reserves the next free stretch of an Apple rate limit, if it begins soon enough. Runs in a separate short
--          transaction, since all other callers wait for the row lock. Uses the database's clock, read after the lock,
--          because machines that share a budget must share a clock. Returns spans instead of instants, so the machines'
--          clocks do not matter. Unused stretches expire after keep_micros. An end far ahead means that the clock was
--          set back, and is ignored.
-- parameters: bundle_id, environment, endpoint (text), now (timestamptz): null for the database's clock, span_micros,
--             keep_micros, wait_max_micros (bigint)
-- grain:   one row: microseconds until the stretch begins, whether it was taken
insert into api_budgets as budget (bundle_id, environment, endpoint, requested_at, begins_at, taken_to)
select
    :'bundle_id'::text, :'environment'::text, :'endpoint'::text, clock.at, clock.at,
    clock.at + :'span_micros'::bigint * interval '1 microsecond'
-- The volatile function keeps the planner from inlining the subquery, so the clock is read once.
from (select coalesce(:'now'::timestamptz, clock_timestamp()) as at) as clock
on conflict (bundle_id, environment, endpoint) do update
set (requested_at, begins_at, taken_to) = (
    select
        clock.at, next.begins_at,
        case
            when next.begins_at <= clock.at + :'wait_max_micros'::bigint * interval '1 microsecond'
                then next.begins_at + :'span_micros'::bigint * interval '1 microsecond'
            else least(budget.taken_to, next.begins_at)
        end
    from (select coalesce(:'now'::timestamptz, clock_timestamp()) as at) as clock
    cross join lateral (
        select greatest(
            budget.paused_to,
            clock.at - :'keep_micros'::bigint * interval '1 microsecond',
            case when budget.taken_to <= clock.at + interval '1 hour' then budget.taken_to end
        ) as begins_at
    ) as next
)
returning
    greatest(0, (1000000 * extract(epoch from budget.begins_at - budget.requested_at))::bigint) as wait_micros,
    budget.taken_to >= budget.begins_at + :'span_micros'::bigint * interval '1 microsecond' as is_taken;
