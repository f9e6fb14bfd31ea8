-- purpose: refunds by month of the refund and by month of the purchase, with the reconciliation between both: less refunds
--          for purchases of other months, plus refunds in other months for purchases of this one. The side by refund month
--          is computed from the charges alone; the other side and the bookings use the orders.
-- grain:   one row per scope (calendar or fiscal), period and currency
with by_refund as (
    select
        slice.scope, coalesce(slice.period, '') as period, coalesce(charges.currency, '') as currency,
        count(*) as refund_count, coalesce(sum(charges.refunded_milliunits), 0) as milliunits
    from charges
    left join viewed_apps() as app on app.bundle_id = charges.bundle_id
    left join day_zones() as place on place.storefront = coalesce(charges.storefront, '')
    cross join lateral (values
        ('calendar', to_char(charges.revoked_at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM')),
        ('fiscal', fiscal_period_of((charges.revoked_at at time zone coalesce(place.zone, 'UTC'))::date))
    ) as slice (scope, period)
    where charges.environment = 'Production'
        and charges.revoked_at <= viewed_at()
        and has_money(charges.state, charges.price_milliunits)
    group by 1, 2, 3
),
dated as materialized (
    select
        slice.scope, coalesce(slice.refund_period, '') as refund_period, coalesce(slice.purchase_period, '') as purchase_period,
        entry.currency, entry.booking, coalesce(entry.refunded_milliunits, 0) as milliunits
    from refund_rows() as entry
    cross join lateral (values
        ('calendar', to_char(entry.refund_day, 'YYYY-MM'), to_char(entry.purchase_day, 'YYYY-MM')),
        ('fiscal', entry.refund_period, entry.purchase_period)
    ) as slice (scope, refund_period, purchase_period)
    where entry.outcome = 'refunded'
),
month_sum as (
    select
        dated.scope, side.period, dated.currency,
        count(*) filter (where side.is_purchase) as purchase_count,
        coalesce(sum(dated.milliunits) filter (where side.is_purchase), 0) as purchase_milliunits,
        coalesce(
            sum(dated.milliunits) filter (where not side.is_purchase and dated.purchase_period <> dated.refund_period), 0
        ) as other_purchases,
        coalesce(
            sum(dated.milliunits) filter (where side.is_purchase and dated.purchase_period <> dated.refund_period), 0
        ) as other_refunds,
        count(*) filter (where not side.is_purchase and dated.booking = 'applied') as applied_count,
        count(*) filter (where not side.is_purchase and dated.booking = 'not_applied') as not_applied_count,
        count(*) filter (where not side.is_purchase and dated.booking = 'no_order') as no_order_count
    from dated
    cross join lateral (values (dated.refund_period, false), (dated.purchase_period, true)) as side (period, is_purchase)
    group by 1, 2, 3
)
select
    scope, period, currency,
    coalesce(by_refund.refund_count, 0) as by_refund_count,
    coalesce(by_refund.milliunits, 0) as by_refund_milliunits,
    coalesce(month_sum.other_purchases, 0) as other_purchases_milliunits,
    coalesce(month_sum.other_refunds, 0) as other_refunds_milliunits,
    coalesce(month_sum.purchase_count, 0) as by_purchase_count,
    coalesce(month_sum.purchase_milliunits, 0) as by_purchase_milliunits,
    coalesce(month_sum.applied_count, 0) as applied_count,
    coalesce(month_sum.not_applied_count, 0) as not_applied_count,
    coalesce(month_sum.no_order_count, 0) as no_order_count
from by_refund
full join month_sum using (scope, period, currency)
order by scope, period collate "C", currency collate "C";
