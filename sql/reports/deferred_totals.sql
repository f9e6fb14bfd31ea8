-- purpose: charged, refunded and re-charged money by period, computed from the charges and the refund report; control totals
--          for the schedules.
-- grain:   one row per scope (calendar or fiscal), period and currency, up to the last complete day of each app or storefront
with app as (
    select entry.bundle_id, entry.zone, (viewed_at() at time zone entry.zone)::date as today from viewed_apps() as entry
),
place as (select entry.storefront, entry.zone, (viewed_at() at time zone entry.zone)::date as today from day_zones() as entry),
utc as (select (viewed_at() at time zone 'UTC')::date as today),
-- Many charges share their days.
daily as (
    select
        coalesce(charges.currency, '') as currency,
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as day,
        (charges.purchased_at at time zone coalesce(place.zone, 'UTC'))::date as fiscal_day,
        coalesce(app.today, utc.today) as today, coalesce(place.today, utc.today) as fiscal_today,
        sum(charges.price_milliunits) as booked
    from charges
    cross join utc
    left join app on app.bundle_id = charges.bundle_id
    left join place on place.storefront = coalesce(charges.storefront, '')
    where is_paid_charge(charges.environment, charges.state)
        and charges.purchased_at <= (select viewed_at())
        and charges.price_milliunits > 0
    group by 1, 2, 3, 4, 5
),
moved as (
    select
        dated.scope, case dated.scope when 'calendar' then to_char(dated.day, 'YYYY-MM') else fiscal_period_of(dated.day) end as period,
        daily.currency, daily.booked, 0 as refunded, 0 as restored
    from daily
    cross join lateral (
        values ('calendar', daily.day, daily.today), ('fiscal', daily.fiscal_day, daily.fiscal_today)
    ) as dated (scope, day, today)
    where dated.day < dated.today
    union all
    select
        entry.scope, entry.period, entry.currency, 0, case when entry.is_refund then entry.milliunits else 0 end,
        case when entry.is_refund then 0 else entry.milliunits end
    from refund_moves() as entry
    where entry.is_complete
)
select
    moved.scope, coalesce(moved.period, '') as period, moved.currency,
    sum(moved.booked) as booked_milliunits,
    sum(moved.refunded) as refunded_milliunits,
    sum(moved.restored) as restored_milliunits
from moved
group by moved.scope, coalesce(moved.period, ''), moved.currency
order by moved.scope, coalesce(moved.period, '') collate "C", moved.currency collate "C";
