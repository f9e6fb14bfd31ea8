-- purpose: charged, refunded and re-charged money by period, computed from the charges and the refund report; control totals
--          for the schedules.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per scope (calendar or fiscal), period and currency, up to the last complete day of each app or storefront
with app as (select entry.bundle_id, entry.zone from viewed_apps() as entry),
place as (select entry.storefront, entry.zone from fiscal_zones() as entry),
sold as (
    select
        coalesce(charges.currency, '') as currency, charges.price_milliunits, charges.purchased_at, coalesce(app.zone, 'UTC') as zone,
        coalesce(place.zone, 'UTC') as fiscal_zone
    from charges
    left join app on app.bundle_id = charges.bundle_id
    left join place on place.storefront = coalesce(charges.storefront, '')
    where charges.environment = 'Production'
        and charges.state in ('charged', 'refunded', 'partly_refunded')
        and charges.purchased_at <= viewed_at()
        and charges.price_milliunits > 0
),
-- The calendar is queried once per day.
daily as (
    select dated.scope, dated.day, sold.currency, count(*) as booked_count, sum(sold.price_milliunits) as booked
    from sold
    cross join lateral (
        values
        ('calendar', (sold.purchased_at at time zone sold.zone)::date, (viewed_at() at time zone sold.zone)::date),
        ('fiscal', (sold.purchased_at at time zone sold.fiscal_zone)::date, (viewed_at() at time zone sold.fiscal_zone)::date)
    ) as dated (scope, day, today)
    where dated.day < dated.today
    group by dated.scope, dated.day, sold.currency
),
moved as (
    select
        daily.scope, case daily.scope when 'calendar' then to_char(daily.day, 'YYYY-MM') else fiscal_period_of(daily.day) end as period,
        daily.currency, daily.booked_count, daily.booked, 0 as refunded, 0 as restored
    from daily
    union all
    select
        entry.scope, entry.period, entry.currency, 0, 0, case when entry.is_refund then entry.milliunits else 0 end,
        case when entry.is_refund then 0 else entry.milliunits end
    from refund_moves() as entry
    where entry.is_complete
)
select
    moved.scope, coalesce(moved.period, '') as period, moved.currency,
    sum(moved.booked_count)::bigint as booked_count,
    sum(moved.booked) as booked_milliunits,
    sum(moved.refunded) as refunded_milliunits,
    sum(moved.restored) as restored_milliunits
from moved
group by moved.scope, coalesce(moved.period, ''), moved.currency
order by moved.scope, coalesce(moved.period, '') collate "C", moved.currency collate "C";
