-- purpose: refund rates by product and month of the purchase.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per app, product, month (in the app's time zone) and currency, for paid purchases of the last 24 months;
--          amounts are null if no price is known
select
    sold.bundle_id, sold.product_id, sold.type, sold.purchase_month, sold.currency,
    count(*) as charge_count,
    count(*) filter (where sold.state <> 'charged') as refund_count,
    rate_bp(count(*) filter (where sold.state <> 'charged'), count(*)) as refund_rate_bp,
    sum(sold.price_milliunits) as charged_milliunits,
    case when count(sold.price_milliunits) > 0 then coalesce(sum(sold.refunded_milliunits), 0) end as refunded_milliunits
from rated_charges() as sold
group by sold.bundle_id, sold.product_id, sold.type, sold.purchase_month, sold.currency
order by
    sold.bundle_id collate "C", sold.product_id collate "C", sold.purchase_month, sold.currency collate "C", sold.type collate "C";
