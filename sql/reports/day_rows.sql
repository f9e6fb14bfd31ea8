-- purpose: the charges and booked orders of each app's business day, one by one: what stands behind the day's counts; what
--          needs a look comes first.
-- parameters: as_of (timestamptz), bundles (text[]), zones (text[]): our apps and the zone of each one's business day;
--          row_count (bigint): most rows
-- grain:   one row per charge of Production of the day, with its order, and per booked order of the day that has no
--          charge; total_count is of all of them
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
    select order_id, charge_id, original_transaction_id, confidence
    from matches
    where valid_from <= :'as_of'::timestamptz
    union all
    select order_id, charge_id, original_transaction_id, confidence
    from ended_matches
    where valid_from <= :'as_of'::timestamptz
        and valid_to > :'as_of'::timestamptz
),
charge as (
    select
        charges.original_transaction_id, charges.charge_id, charges.transaction_ids[1] as transaction_id,
        charges.bundle_id, charges.product_id, charges.currency, charges.price_milliunits, charges.purchased_at,
        charges.state in ('family', 'free') as is_excluded
    from charges
    inner join app on app.bundle_id = charges.bundle_id
    where charges.batch_id in (select batch_id from known_batch)
        and charges.environment = 'Production'
        and charges.purchased_at >= app.business_day::timestamp at time zone app.zone
        and charges.purchased_at < (app.business_day + 1)::timestamp at time zone app.zone
),
version as (
    select
        order_id, user_id, bundle_id, product_id, environment, currency, status, price_milliunits, created_at, paid_at,
        delivered_at
    from orders
    where batch_id in (select batch_id from known_batch)
    union all
    select
        order_id, user_id, bundle_id, product_id, environment, currency, status, price_milliunits, created_at, paid_at,
        delivered_at
    from order_versions
    where batch_id in (select batch_id from known_batch)
        and replaced_by_batch_id not in (select batch_id from known_batch)
),
opened as (
    select distinct on (break_id) break_id, class, charge_id, is_open
    from break_events
    where as_of <= :'as_of'::timestamptz
        and family = 'charge_open'
    order by break_id asc, as_of desc, attempt desc
),
waiting as (
    select charge_id from pending_breaks_at(:'as_of'::timestamptz) where family = 'charge_open'
),
line as (
    select
        case
            when charge.is_excluded then 'excluded'
            -- What two people decided is told with what is derived.
            when held.confidence is not null then coalesce(nullif(held.confidence, 'decided'), 'derived')
            when charge.charge_id in (select charge_id from opened where is_open and class = 'AMBIGUOUS_MATCH')
                then 'ambiguous'
            when charge.charge_id in (select charge_id from waiting) then 'pending'
            else 'broken'
        end as part,
        charge.bundle_id, charge.purchased_at as at, charge.charge_id, charge.transaction_id, charge.product_id,
        charge.price_milliunits as charged_milliunits, charge.currency, version.order_id, version.user_id,
        version.status, version.price_milliunits as booked_milliunits, version.currency as booked_currency
    from charge
    left join held
        on held.original_transaction_id = charge.original_transaction_id
        and held.charge_id = charge.charge_id
    left join version on version.order_id = held.order_id
    union all
    select
        'no charge', version.bundle_id, version.created_at, null, null, version.product_id, null, null, version.order_id,
        version.user_id, version.status, version.price_milliunits, version.currency
    from version
    inner join app on app.bundle_id = version.bundle_id
    where version.environment = 'Production'
        and (
            version.status in ('paid', 'delivered', 'refunded', 'revoked')
            or version.paid_at is not null or version.delivered_at is not null
        )
        and version.created_at >= app.business_day::timestamp at time zone app.zone
        and version.created_at < (app.business_day + 1)::timestamp at time zone app.zone
        and not exists (select 1 from held where held.order_id = version.order_id)
)
select
    part, bundle_id, rfc3339(at) as at, charge_id, transaction_id, product_id, charged_milliunits, currency, order_id,
    user_id, status, booked_milliunits, booked_currency, count(*) over () as total_count
from line
order by
    array_position(
        array['no charge', 'broken', 'ambiguous', 'pending', 'heuristic', 'derived', 'exact', 'excluded'], part
    ),
    line.at desc, coalesce(charge_id, order_id) collate "C"
limit :'row_count'::bigint;
