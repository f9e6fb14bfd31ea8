-- purpose: sums of a customer's orders and of Apple's charges. Only Production is money. Amounts of different currencies are
--          never added.
-- parameters: order_ids, charge_ids (text[])
-- grain:   one row per environment and currency
with booked as (
    select orders.environment, orders.currency, count(*) as order_count,
        count(*) filter (where orders.delivered_at is not null or orders.status = 'delivered') as delivered_count,
        sum(orders.price_milliunits) filter (where orders.status in ('paid', 'delivered')) as milliunits
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join orders on orders.order_id = wanted.order_id
    group by orders.environment, orders.currency
),
charged as (
    select charges.environment, charges.currency, count(*) as charge_count, sum(charges.price_milliunits) as milliunits,
        sum(charges.refunded_milliunits) as refunded_milliunits
    from charges
    where charges.charge_id = any(:'charge_ids'::text[])
    group by charges.environment, charges.currency
),
total as (
    select coalesce(booked.environment, charged.environment) as environment, coalesce(booked.currency, charged.currency) as currency,
        coalesce(booked.order_count, 0) as orders, coalesce(booked.delivered_count, 0) as delivered, booked.milliunits as booked,
        coalesce(charged.charge_count, 0) as charges, charged.milliunits as charged, charged.refunded_milliunits as refunded
    from booked
    full join charged
        on charged.environment = booked.environment
        and coalesce(charged.currency, '') = coalesce(booked.currency, '')
)
select
    total.environment, total.currency, total.orders, total.delivered, money_text(total.booked, total.currency) as booked_amount,
    total.charges, money_text(total.charged, total.currency) as charged_amount,
    money_text(total.refunded, total.currency) as refunded_amount,
    money_text(total.charged - coalesce(total.refunded, 0), total.currency) as net_amount
from total
order by total.environment <> 'Production', total.environment, total.currency;
