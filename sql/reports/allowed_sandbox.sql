-- purpose: live deliveries on purchases not of Production that are no break, since the user is a tester or a review window was
--          open: refused for the sandbox, not taken back, and neither open, pending nor decided as a break.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, one element each
-- grain:   one row per order
with refused as materialized (
    select told.order_id, told.charge_id, charges.purchased_at
    from refused_claims_at(:'as_of'::timestamptz) as told
    inner join charges on charges.charge_id = told.charge_id
    where told.class = 'SANDBOX_IN_PROD'
),
holder as materialized (
    select told.bundle_id, told.user_id, told.allowed_from, told.allowed_to, told.allowed_by
    from sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]) as told
),
broken as materialized (
    select told.order_id
    from breaks_among(
        :'as_of'::timestamptz,
        array(
            select distinct break_events.break_id
            from refused
            inner join break_events on break_events.order_id = refused.order_id
        )
    ) as told
    where told.is_open
    union all
    select told.order_id
    from pending_breaks_at(:'as_of'::timestamptz) as told
),
delivered as materialized (
    select orders.*, refused.charge_id, refused.purchased_at
    from orders_at(:'as_of'::timestamptz) as orders
    inner join refused on refused.order_id = orders.order_id
    where orders.order_id = any(array(select refused.order_id from refused))
        and orders.environment = 'Production'
        and was_delivered(orders.status, orders.delivered_at)
)
select
    delivered.bundle_id,
    delivered.user_id,
    delivered.order_id,
    delivered.product_id,
    coalesce(delivered.transaction_id, delivered.charge_id) as transaction_id,
    rfc3339(coalesce(delivered.delivered_at, delivered.paid_at, delivered.created_at)) as delivered_at,
    delivered.price_milliunits,
    delivered.currency,
    allowed.allowed_by
from delivered
cross join lateral (
    select min(holder.allowed_by) as allowed_by
    from holder
    where holder.bundle_id in (delivered.bundle_id, '')
        and holder.user_id in (delivered.user_id, '')
        and delivered.purchased_at >= holder.allowed_from
        and delivered.purchased_at < holder.allowed_to
) as allowed
where allowed.allowed_by is not null
    and delivered.order_id not in (select broken.order_id from broken where broken.order_id is not null)
order by delivered.bundle_id collate "C", delivered.user_id collate "C", delivered.order_id collate "C";
