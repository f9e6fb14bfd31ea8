-- purpose: the last 28 complete local days: what Apple charged for money, what we booked, what matched; for the chart. A
--          matched order counts on the day of its charge, as in the daily summary.
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
    select order_id, charge_id, original_transaction_id
    from matches
    where valid_from <= :'as_of'::timestamptz
    union all
    select order_id, charge_id, original_transaction_id
    from ended_matches
    where valid_from <= :'as_of'::timestamptz
        and valid_to > :'as_of'::timestamptz
),
charge as materialized (
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.environment, charges.state,
        (charges.purchased_at at time zone app.zone)::date as day
    from charges
    inner join app on app.bundle_id = charges.bundle_id
    where charges.batch_id in (select batch_id from known_batch)
),
charged as (
    select charge.bundle_id, charge.day, count(*) as tx_count, count(held.charge_id) as matched_count
    from charge
    left join held
        on held.original_transaction_id = charge.original_transaction_id
        and held.charge_id = charge.charge_id
    where charge.environment = 'Production'
        and charge.state not in ('family', 'free')
    group by charge.bundle_id, charge.day
),
version as (
    select order_id, bundle_id, environment, status, created_at, paid_at, delivered_at
    from orders
    where batch_id in (select batch_id from known_batch)
    union all
    select order_id, bundle_id, environment, status, created_at, paid_at, delivered_at
    from order_versions
    where batch_id in (select batch_id from known_batch)
        and replaced_by_batch_id not in (select batch_id from known_batch)
),
booked as (
    select
        version.bundle_id,
        coalesce(charge.day, (version.created_at at time zone app.zone)::date) as day,
        count(*) as order_count
    from version
    inner join app on app.bundle_id = version.bundle_id
    left join held on held.order_id = version.order_id
    left join charge
        on charge.original_transaction_id = held.original_transaction_id
        and charge.charge_id = held.charge_id
    where version.environment = 'Production'
        and (
            version.status in ('paid', 'delivered', 'refunded', 'revoked')
            or version.paid_at is not null or version.delivered_at is not null
        )
    group by 1, 2
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
