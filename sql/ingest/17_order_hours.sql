-- purpose: counts the orders that a chunk told anew, by app, environment and hour of what they tell, but for those dated ahead. What
--          does not say when it was changed (it counts by the clock) tells of the latest instant that it names.
-- parameters: none
-- grain:   one row per app, environment and hour
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, newest_fact_at)
with reading as materialized (
    select reading_clock(min(batch_id)) as clock, tells_until(min(batch_id)) as tells_until
    from judged_order
),
told as (
    select
        judged_order.batch_id, judged_order.bundle_id, judged_order.environment, reading.tells_until,
        case
            when judged_order.updated_at = reading.clock
                then greatest(judged_order.created_at, judged_order.paid_at, judged_order.delivered_at, judged_order.refunded_at)
            else judged_order.updated_at
        end as fact_at
    from judged_order
    cross join reading
    where outcome in ('new', 'newer')
)
select min(batch_id), 'orders', bundle_id, environment, date_trunc('hour', fact_at, 'UTC'), count(*), max(fact_at)
from told
where fact_at <= tells_until
group by bundle_id, environment, date_trunc('hour', fact_at, 'UTC')
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
