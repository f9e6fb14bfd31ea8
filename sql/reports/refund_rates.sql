-- purpose: refund rates by product and month of the purchase.
-- grain:   one row per app, product, month (in the app's time zone) and currency, for paid purchases of the last 24 months;
--          amounts are null if no price is known
-- Many charges share their day.
with daily as (
    select
        sold.bundle_id, sold.product_id, sold.type, sold.currency, sold.purchased_on,
        count(*) as charge_count,
        count(*) filter (where sold.state <> 'charged') as refund_count,
        count(sold.price_milliunits) as priced_count,
        sum(sold.price_milliunits) as charged_milliunits,
        sum(sold.refunded_milliunits) as refunded_milliunits
    from rated_charges() as sold
    group by sold.bundle_id, sold.product_id, sold.type, sold.currency, sold.purchased_on
)
select
    daily.bundle_id, daily.product_id, daily.type,
    to_char(daily.purchased_on, 'YYYY-MM') as purchase_month,
    daily.currency,
    sum(daily.charge_count)::bigint as charge_count,
    sum(daily.refund_count)::bigint as refund_count,
    rate_bp(sum(daily.refund_count)::bigint, sum(daily.charge_count)::bigint) as refund_rate_bp,
    sum(daily.charged_milliunits) as charged_milliunits,
    case when sum(daily.priced_count) > 0 then coalesce(sum(daily.refunded_milliunits), 0) end as refunded_milliunits
from daily
group by daily.bundle_id, daily.product_id, daily.type, 4, daily.currency
order by daily.bundle_id collate "C", daily.product_id collate "C", 4, daily.currency collate "C", daily.type collate "C";
