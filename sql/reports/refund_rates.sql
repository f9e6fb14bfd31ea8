-- purpose: refund rates by product and month of the purchase.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per app, product, month (in the app's time zone) and currency, for paid purchases of the last 24 months;
--          amounts are null if no price is known
with app as (select app_zone.bundle_id, app_zone.zone from viewed_apps() as app_zone),
sold as (
    select
        charges.bundle_id, charges.product_id, charges.type, coalesce(charges.currency, '') as currency, charges.purchased_at,
        charges.price_milliunits, charges.state, charges.refunded_milliunits
    from charges
    where charges.environment = 'Production'
        and has_money(charges.state, charges.price_milliunits)
        and charges.purchased_at <= viewed_at()
        and charges.purchased_at > viewed_at() - interval '24 months'
)
select
    sold.bundle_id, sold.product_id, sold.type,
    to_char(sold.purchased_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM') as purchase_month,
    sold.currency,
    count(*) as charge_count,
    count(*) filter (where sold.state <> 'charged') as refund_count,
    rate_bp(count(*) filter (where sold.state <> 'charged'), count(*)) as refund_rate_bp,
    sum(sold.price_milliunits) as charged_milliunits,
    case when count(sold.price_milliunits) > 0 then coalesce(sum(sold.refunded_milliunits), 0) end as refunded_milliunits
from sold
left join app on app.bundle_id = sold.bundle_id
group by sold.bundle_id, sold.product_id, sold.type, 4, sold.currency
order by sold.bundle_id collate "C", sold.product_id collate "C", 4, sold.currency collate "C", sold.type collate "C";
