-- purpose: the last 28 complete local days: what Apple charged, what we booked, what matched; for the chart.
-- parameters: as_of (timestamptz), bundles (text[]), zones (text[]): our apps and the zone of each one's business day
-- grain:   one row per bundle x day of Production, days without purchases included
with app as (
    select
        app.bundle_id, app.zone,
        (:'as_of'::timestamptz at time zone app.zone)::date - 1 as business_day
    from unnest(:'bundles'::text[], :'zones'::text[]) as app (bundle_id, zone)
),
known_batch as (
    select batch_id from batches where known_at <= :'as_of'::timestamptz
),
held as (
    select charge_id, original_transaction_id
    from matches
    where valid_from <= :'as_of'::timestamptz
    union all
    select charge_id, original_transaction_id
    from ended_matches
    where valid_from <= :'as_of'::timestamptz
        and valid_to > :'as_of'::timestamptz
),
charged as (
    select
        charges.bundle_id, (charges.purchased_at at time zone app.zone)::date as day, count(*) as tx_count,
        count(held.charge_id) as matched_count
    from charges
    inner join app on app.bundle_id = charges.bundle_id
    left join held
        on held.original_transaction_id = charges.original_transaction_id
        and held.charge_id = charges.charge_id
    where charges.environment = 'Production'
        and charges.state not in ('family', 'free')
        and charges.batch_id in (select batch_id from known_batch)
        and charges.purchased_at >= ((app.business_day - 27)::timestamp at time zone app.zone)
        and charges.purchased_at < ((app.business_day + 1)::timestamp at time zone app.zone)
    group by charges.bundle_id, (charges.purchased_at at time zone app.zone)::date
),
booked as (
    select orders.bundle_id, (orders.created_at at time zone app.zone)::date as day, count(*) as order_count
    from orders
    inner join app on app.bundle_id = orders.bundle_id
    where orders.environment = 'Production'
        and (
            orders.status in ('paid', 'delivered', 'refunded', 'revoked')
            or orders.paid_at is not null or orders.delivered_at is not null
        )
        and orders.created_at >= ((app.business_day - 27)::timestamp at time zone app.zone)
        and orders.created_at < ((app.business_day + 1)::timestamp at time zone app.zone)
        and (
            orders.batch_id in (select batch_id from known_batch)
            or exists (
                select
                from order_versions
                where order_versions.order_id = orders.order_id
                    and order_versions.batch_id in (select batch_id from known_batch)
            )
        )
    group by orders.bundle_id, (orders.created_at at time zone app.zone)::date
)
select
    app.bundle_id,
    to_char(app.business_day - back.days, 'YYYY-MM-DD') as day,
    coalesce(charged.tx_count, 0) as tx_count,
    coalesce(booked.order_count, 0) as order_count,
    coalesce(charged.matched_count, 0) as matched_count
from app
cross join generate_series(27, 0, -1) as back (days)
left join charged on charged.bundle_id = app.bundle_id and charged.day = app.business_day - back.days
left join booked on booked.bundle_id = app.bundle_id and booked.day = app.business_day - back.days
order by app.bundle_id, app.business_day - back.days;
