-- purpose: takes the next free stretch of a budget of Apple's rate limits, if it begins soon enough; a transaction of its
--          own, as everybody else waits for it. This is no business time: machines that share a budget have to share a
--          clock, so it is the database's, read after the row is locked; spans are handed back, so that the clocks of the
--          machines do not matter. What nobody took is over after keep_micros. An end far ahead can only come from a
--          clock that was set back since, and counts as none.
-- parameters: bundle_id, environment, endpoint (text), now (timestamptz): null for the database's clock, span_micros,
--             keep_micros, wait_max_micros (bigint)
-- grain:   one row: microseconds until the stretch begins, whether it was taken
insert into api_budgets as budget (bundle_id, environment, endpoint, requested_at, begins_at, taken_to)
select
    :'bundle_id'::text, :'environment'::text, :'endpoint'::text, clock.at, clock.at,
    clock.at + :'span_micros'::bigint * interval '1 microsecond'
-- A volatile function keeps a subquery apart: the clock is read once.
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
