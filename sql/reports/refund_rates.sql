-- purpose: refund rates by product and month of the purchase.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per app, product, month (in the app's time zone) and currency, for paid purchases of the last 24 months;
--          amounts are null if no price is known
with app as (select app_zone.bundle_id, app_zone.zone from viewed_apps() as app_zone),
-- Many charges share their day.
daily as (
    select
        charges.bundle_id, charges.product_id, charges.type, coalesce(charges.currency, '') as currency,
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as day,
        count(*) as charge_count,
        count(*) filter (where charges.state <> 'charged') as refund_count,
        count(charges.price_milliunits) as priced_count,
        sum(charges.price_milliunits) as charged_milliunits,
        sum(charges.refunded_milliunits) as refunded_milliunits
    from charges
    left join app on app.bundle_id = charges.bundle_id
    where charges.environment = 'Production'
        and has_money(charges.state, charges.price_milliunits)
        and charges.purchased_at <= (select viewed_at())
        and charges.purchased_at > (select viewed_at() - interval '24 months')
    group by charges.bundle_id, charges.product_id, charges.type, 4, 5
)
select
    daily.bundle_id, daily.product_id, daily.type,
    to_char(daily.day, 'YYYY-MM') as purchase_month,
    daily.currency,
    sum(daily.charge_count)::bigint as charge_count,
    sum(daily.refund_count)::bigint as refund_count,
    rate_bp(sum(daily.refund_count)::bigint, sum(daily.charge_count)::bigint) as refund_rate_bp,
    sum(daily.charged_milliunits) as charged_milliunits,
    case when sum(daily.priced_count) > 0 then coalesce(sum(daily.refunded_milliunits), 0) end as refunded_milliunits
from daily
group by daily.bundle_id, daily.product_id, daily.type, 4, daily.currency
order by daily.bundle_id collate "C", daily.product_id collate "C", 4, daily.currency collate "C", daily.type collate "C";
