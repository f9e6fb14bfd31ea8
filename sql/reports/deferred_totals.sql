-- purpose: what was charged and what was given back by period, from the charges alone: what the schedules must add up to.
-- parameters: none; rows/ask.sql says the clock
-- grain:   one row per scope (calendar or fiscal), period and currency, up to the last complete day of each app
with app as (
    select told.bundle_id, told.zone from asked_apps() as told
),
sold as (
    select
        charges.bundle_id, coalesce(charges.currency, '') as currency, charges.price_milliunits, charges.refunded_milliunits,
        charges.purchased_at, charges.revoked_at
    from charges
    where charges.environment = 'Production'
        and charges.state in ('charged', 'refunded', 'partly_refunded')
        and charges.purchased_at <= asked_at()
        and charges.price_milliunits > 0
),
moved as (
    select
        step.currency, step.booked, step.refunded, step.day, (asked_at() at time zone step.zone)::date as today
    from (
        select
            sold.currency, sold.price_milliunits as booked, 0::bigint as refunded,
            (sold.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as day, coalesce(app.zone, 'UTC') as zone
        from sold
        left join app on app.bundle_id = sold.bundle_id
        union all
        select
            sold.currency, 0, sold.refunded_milliunits,
            (greatest(sold.revoked_at, sold.purchased_at) at time zone coalesce(app.zone, 'UTC'))::date, coalesce(app.zone, 'UTC')
        from sold
        left join app on app.bundle_id = sold.bundle_id
        where sold.revoked_at <= asked_at()
            and sold.refunded_milliunits > 0
    ) as step
),
-- The calendar is asked once for a day.
daily as (
    select
        moved.day, moved.currency, count(*) filter (where moved.booked > 0) as booked_count, sum(moved.booked) as booked,
        sum(moved.refunded) as refunded
    from moved
    where moved.day < moved.today
    group by moved.day, moved.currency
)
select
    slice.scope, coalesce(slice.period, '') as period, daily.currency,
    sum(daily.booked_count)::bigint as booked_count,
    sum(daily.booked) as booked_milliunits,
    sum(daily.refunded) as refunded_milliunits
from daily
cross join lateral (values
    ('calendar', to_char(daily.day, 'YYYY-MM')), ('fiscal', fiscal_period_of(daily.day))
) as slice (scope, period)
group by slice.scope, slice.period, daily.currency
order by slice.scope, coalesce(slice.period, '') collate "C", daily.currency collate "C";
