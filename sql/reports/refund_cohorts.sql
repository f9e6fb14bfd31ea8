-- purpose: money charged by month of purchase, and money refunded by months since the purchase, from which refunds still to come
--          are estimated.
-- grain:   one row per app, kind of product, currency, month of purchase and age; a month counts from January of the year 0
-- rules:   months are those of the app's time zone; through is the last complete one. Purchases of the last 36 months that were
--          not free. A reversal is a negative refund (functions/charges/refund_steps.sql).
with app as (
    select bundle_id, zone, month_of((viewed_at() at time zone entry.zone)::date) - 1 as through from viewed_apps() as entry
),
utc as (select month_of((viewed_at() at time zone 'UTC')::date) - 1 as through),
daily as (
    select
        charges.bundle_id, charges.type, coalesce(charges.currency, '') as currency,
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as day,
        coalesce(app.through, utc.through) as through, sum(charges.price_milliunits) as charged
    from charges
    cross join utc
    left join app on app.bundle_id = charges.bundle_id
    where is_paid_charge(charges.environment, charges.state)
        and charges.price_milliunits > 0
        and charges.purchased_at <= (select viewed_at())
        and charges.purchased_at > (select viewed_at() - interval '36 months')
    group by 1, 2, 3, 4, 5
),
moved as (
    select
        charge_id, original_transaction_id, at,
        standing_milliunits - coalesce(
            lag(standing_milliunits) over (partition by charge_id order by step), 0
        ) as refunded
    from refund_steps() as entry
),
part as (
    select
        bundle_id, type, currency, month_of(day) as month, 0 as age, through, charged, 0 as refunded
    from daily
    union all
    select
        charges.bundle_id, charges.type, coalesce(charges.currency, ''), dated.month,
        greatest(0, month_of((moved.at at time zone coalesce(app.zone, 'UTC'))::date) - dated.month), coalesce(app.through, utc.through), 0,
        moved.refunded
    from moved
    inner join charges using (original_transaction_id, charge_id)
    cross join utc
    left join app on app.bundle_id = charges.bundle_id
    cross join lateral (select month_of((charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date) as month) as dated
    where charges.price_milliunits > 0
        and moved.at <= (select viewed_at())
        and charges.purchased_at > (select viewed_at() - interval '36 months')
)
select
    bundle_id, type, currency, month, age, through, sum(charged)::bigint as charged_milliunits, sum(refunded)::bigint as refunded_milliunits
from part
where month + age <= through
group by bundle_id, type, currency, month, age, through
order by bundle_id collate "C", type collate "C", currency collate "C", month, age;
