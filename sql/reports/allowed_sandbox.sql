-- purpose: live deliveries on non-Production purchases that are no break, because the user is a tester or a review window
--          was open. They were refused as sandbox, not taken back, and are not open, pending or decided as a break.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, parallel arrays
-- grain:   one row per order
with sandbox_claim as materialized (
    select claim.order_id, claim.charge_id
    from refused_claims as claim
    where claim.class = 'SANDBOX_IN_PROD'
),
claimed as materialized (
    select charges.charge_id, charges.transaction_ids, charges.purchased_at
    from charges
    where charges.charge_id = any(array(select sandbox_claim.charge_id from sandbox_claim))
),
-- Without a charge if the purchase is of an unknown environment.
refused as materialized (
    select sandbox_claim.order_id, claimed.transaction_ids, claimed.purchased_at
    from sandbox_claim
    left join claimed on claimed.charge_id = sandbox_claim.charge_id
),
holder as materialized (
    select claim.bundle_id, claim.user_id, claim.allowed, claim.allowed_by
    from sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]) as claim
),
order_with_break as materialized (
    select open_break.order_id
    from open_break_events as open_break
    where open_break.order_id = any(array(select refused.order_id from refused))
    union all
    select pending.order_id
    from pending_breaks as pending
),
delivered as materialized (
    select orders.*, refused.transaction_ids, coalesce(refused.purchased_at, orders.created_at) as purchased_at
    from orders
    inner join refused on refused.order_id = orders.order_id
    where orders.order_id = any(array(select refused.order_id from refused))
        and orders.environment = 'Production'
        and was_delivered(orders.status, orders.delivered_at)
)
select
    delivered.bundle_id, delivered.user_id, delivered.order_id, delivered.product_id,
    case
        when delivered.transaction_id = any(delivered.transaction_ids) then delivered.transaction_id
        else coalesce(delivered.transaction_ids[1], delivered.transaction_id)
    end as transaction_id,
    rfc3339(coalesce(delivered.delivered_at, delivered.paid_at, delivered.created_at)) as delivered_at,
    delivered.price_milliunits, delivered.currency, allowed.allowed_by
from delivered
cross join lateral (
    select min(holder.allowed_by) as allowed_by
    from holder
    where holder.bundle_id in (delivered.bundle_id, '')
        and holder.user_id in (delivered.user_id, '')
        and holder.allowed @> delivered.purchased_at
) as allowed
where allowed.allowed_by is not null
    and delivered.order_id not in (select order_with_break.order_id from order_with_break where order_with_break.order_id is not null)
order by delivered.bundle_id collate "C", delivered.user_id collate "C", delivered.order_id collate "C";
