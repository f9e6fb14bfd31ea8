-- purpose: the charges and booked orders of each app's business day, those that need attention first.
-- parameters: row_count (bigint): limit
-- grain:   one row per Production charge of the day, with its order, and per booked order of the day without a charge;
--          total_count includes rows beyond the limit
with app as (
    select
        entry.bundle_id, entry.business_day::timestamp at time zone entry.zone as day_from,
        (entry.business_day + 1)::timestamp at time zone entry.zone as day_to
    from viewed_apps() as entry
),
charge as materialized (
    select
        charges.original_transaction_id, charges.charge_id, charges.transaction_ids[1] as transaction_id,
        charges.bundle_id, charges.product_id, charges.currency, charges.price_milliunits, charges.purchased_at,
        charges.state in ('family', 'free') as is_excluded
    from charges
    inner join app on app.bundle_id = charges.bundle_id
    where charges.environment = 'Production'
        and charges.purchased_at >= app.day_from
        and charges.purchased_at < app.day_to
        -- The span over all apps, so that only a range of the table is read.
        and charges.purchased_at >= (select min(every_app.day_from) from app as every_app)
        and charges.purchased_at < (select max(every_app.day_to) from app as every_app)
),
-- Looks up by key, whatever the number of charges.
active_match as materialized (
    select order_id, charge_id, original_transaction_id, confidence
    from matches
    where original_transaction_id = any(array(select original_transaction_id from charge))
),
paying as (
    select order_id, user_id, status, price_milliunits, currency
    from orders
    where order_id = any(array(select order_id from active_match))
),
booked as materialized (
    select
        orders.order_id, orders.user_id, orders.bundle_id, orders.product_id, orders.currency, orders.status, orders.price_milliunits,
        orders.created_at
    from orders
    inner join app on app.bundle_id = orders.bundle_id
    where orders.environment = 'Production'
        and is_booked(orders.status, orders.paid_at, orders.delivered_at)
        and orders.created_at >= app.day_from
        and orders.created_at < app.day_to
        and orders.created_at >= (select min(every_app.day_from) from app as every_app)
        and orders.created_at < (select max(every_app.day_to) from app as every_app)
),
paid as (select order_id from matched_orders where order_id = any(array(select order_id from booked))),
line as (
    select
        case
            when charge.is_excluded then 'excluded'
            -- Decided matches count as derived ones.
            when active_match.confidence is not null then coalesce(nullif(active_match.confidence, 'decided'), 'derived')
            when charge.charge_id in (
                select charge_id from open_break_events where family = 'charge_open' and class = 'AMBIGUOUS_MATCH'
            ) then 'ambiguous'
            when charge.charge_id in (select charge_id from pending_breaks where family = 'charge_open') then 'pending'
            else 'broken'
        end as part,
        charge.bundle_id, charge.purchased_at as at, charge.charge_id, charge.transaction_id, charge.product_id,
        charge.price_milliunits as charged_milliunits, charge.currency, paying.order_id, paying.user_id,
        paying.status, paying.price_milliunits as booked_milliunits, paying.currency as booked_currency
    from charge
    left join active_match using (original_transaction_id, charge_id)
    left join paying on paying.order_id = active_match.order_id
    union all
    select
        'no charge', booked.bundle_id, booked.created_at, null, null, booked.product_id, null, null, booked.order_id,
        booked.user_id, booked.status, booked.price_milliunits, booked.currency
    from booked
    where not exists (select 1 from paid where paid.order_id = booked.order_id)
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
