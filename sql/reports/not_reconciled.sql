-- purpose: what no match can concern, and why: Production charges and booked orders without the other side, from before an
--          app's start date, from before its first order, or from after the newest evidence of Apple.
-- grain:   one row per app, reason and currency
-- rules:   days are business days of the app; a matched order counts on the day of its charge, so no pair crosses a limit
with fact as materialized (
    select
        measure, bundle_id, currency, day, sum(n)::bigint as n, coalesce(sum(amount), 0) as amount
    from daily_sums(array['history', 'open_tx', 'order', 'open_order', 'tx']) as entry
    where environment = 'Production'
    group by measure, bundle_id, currency, day
),
apple as (
    select max(newest_fact_at) as known_until
    from input_rows() as input
    where kind = 'apple'
),
known_day as (
    select
        bundle_id, min(day) filter (where measure = 'order') as first_order_on, max(day) filter (where measure = 'tx') as last_charge_on
    from fact
    group by bundle_id
),
app as materialized (
    select
        entry.bundle_id, (started.starts_at at time zone entry.zone)::date as starts_on, known_day.first_order_on,
        -- An app without any charge has no evidence of Apple, whatever the newest is of.
        case
            when known_day.last_charge_on is not null
                then greatest(known_day.last_charge_on, (apple.known_until at time zone entry.zone)::date)
        end as apple_until
    from viewed_apps() as entry
    cross join apple
    left join viewed_starts() as started on started.bundle_id = entry.bundle_id
    left join known_day on known_day.bundle_id = entry.bundle_id
),
outside as (
    select
        app.bundle_id, fact.currency, fact.day, fact.n, fact.amount,
        case
            when fact.measure = 'history' then 'charges_before_start'
            when fact.measure = 'open_tx' and (app.first_order_on is null or fact.day < app.first_order_on)
                then 'charges_before_first_order'
            when fact.measure = 'open_order' and fact.day < app.starts_on then 'orders_before_start'
            when fact.measure = 'open_order' and (app.apple_until is null or fact.day > app.apple_until)
                then 'orders_after_apple'
        end as reason,
        app.starts_on, app.first_order_on, app.apple_until
    from app
    inner join fact on fact.bundle_id = app.bundle_id
)
select
    bundle_id, reason, nullif(currency, '') as currency, sum(n)::bigint as item_count,
    sum(amount) as amount_milliunits, min(day)::text as first_day, max(day)::text as last_day,
    min(
        case
            when reason like '%before_start' then starts_on
            when reason = 'charges_before_first_order' then first_order_on
            else apple_until
        end
    )::text as limit_day
from outside
where reason is not null
group by bundle_id, reason, currency
order by bundle_id collate "C", reason collate "C", outside.currency collate "C";
