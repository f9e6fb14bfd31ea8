-- purpose: the fields in which some orders and charges can agree or differ.
-- parameters: order_ids, charge_ids (text[]), rows (bigint)
-- grain:   one row per order or charge
with placed as materialized (
    select orders.* from unnest(:'order_ids'::text[]) as wanted (order_id) inner join orders on orders.order_id = wanted.order_id
),
charged as materialized (select charges.* from charges where charges.charge_id = any(:'charge_ids'::text[])),
owner as materialized (
    select owners.token, owners.user_id
    from token_owners(
        array(select distinct charged.app_account_token from charged where charged.app_account_token is not null)
    ) as owners
)
select side.*
from (
    select
        'order' as kind, placed.order_id as id, placed.user_id, placed.product_id, placed.quantity::text as quantity,
        money_text(placed.price_milliunits, placed.currency) as price, placed.status,
        rfc3339(placed.created_at) as began_at, rfc3339(placed.paid_at) as paid_at,
        rfc3339(placed.delivered_at) as delivered_at, rfc3339(placed.refunded_at) as refunded_at,
        rfc3339(placed.entitlement_expires_at) as ends_at, placed.device_id, placed.storefront,
        placed.app_account_token, placed.transaction_id, placed.bundle_id, placed.environment
    from placed
    union all
    select
        'charge', charged.charge_id, owner.user_id, charged.product_id, charged.quantity::text,
        money_text(charged.price_milliunits, charged.currency), charged.state, rfc3339(charged.purchased_at), null, null,
        rfc3339(charged.revoked_at), rfc3339(charged.expires_at), null, charged.storefront, charged.app_account_token,
        array_to_string(charged.transaction_ids, ' '), charged.bundle_id, charged.environment
    from charged
    left join owner on owner.token = charged.app_account_token
) as side
order by side.began_at, side.kind desc, side.id
limit :'rows'::bigint;
