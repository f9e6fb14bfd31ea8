-- purpose: Production charges without an order, and those whose order may differ, for the break classes and rules that compare
--          them. A delivered, unrefunded order with the charge's amount and user's token is left out, unless the charge's
--          storefront is not the user's home. user_token is null if the order has a token itself. Both kinds come from one
--          reading of charges, matches and orders.
-- grain:   one row per charge; differing_pair has those with an order
-- note:    the planner expects most joined rows to be kept, and passing them from parallel workers has a price. It would
--          therefore join on one core. In fact few are kept, unless most users buy abroad, so the price is set to 0.
drop table if exists differing_charge cascade;
set local parallel_tuple_cost = 0;
create temp table differing_charge on commit drop as
select
    matches.order_id,
    charges.charge_id,
    charges.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.bundle_id,
    charges.product_id,
    charges.type,
    orders.product_id as order_product_id,
    matches.rung,
    orders.user_id,
    orders.device_id,
    orders.status,
    charges.state,
    orders.currency as order_currency,
    charges.currency as charge_currency,
    charges.revocation_type,
    orders.quantity as order_quantity,
    charges.quantity as charge_quantity,
    orders.price_milliunits as order_milliunits,
    charges.price_milliunits as charge_milliunits,
    charges.refunded_milliunits,
    charges.purchased_at,
    charges.expires_at,
    charges.revoked_at,
    coalesce(charges.first_revoked_at, charges.revoked_at) as first_revoked_at,
    coalesce(charges.refunded_since, charges.first_revoked_at, charges.revoked_at) as refunded_since,
    charges.reversed_at,
    charges.is_upgraded,
    charges.is_renewal,
    charges.ownership,
    orders.app_account_token as order_token,
    case when orders.app_account_token is null then users.app_account_token end as user_token,
    charges.app_account_token as charge_token,
    orders.created_at,
    orders.updated_at,
    orders.delivered_at,
    orders.refunded_at,
    orders.entitlement_expires_at,
    coalesce(charges.storefront <> users.home_storefront, false) as is_abroad,
    charges.state = 'family' and order_standing(orders.status, orders.paid_at, orders.delivered_at) = 0 as is_family_cart
from in_charges as charges
left join in_matches as matches using (original_transaction_id, charge_id)
left join (
    in_orders as orders
    left join in_users as users on users.user_id = orders.user_id
) on orders.order_id = matches.order_id
cross join lateral (
    select
        orders.status <> 'delivered'
        or orders.refunded_at is not null
        or charges.state <> 'charged'
        or charges.revoked_at is not null
        or charges.reversed_at is not null
        or orders.quantity <> charges.quantity
        or orders.product_id <> charges.product_id
        or orders.currency is distinct from charges.currency
        or orders.price_milliunits is distinct from charges.price_milliunits
        or orders.entitlement_expires_at is distinct from charges.expires_at
        or charges.is_upgraded as is_other
) as compared
where charges.environment = 'Production'
    and (
        -- Family-shared and free charges need no order, refunded or not.
        matches.order_id is null
        and charges.state not in ('family', 'free')
        and charges.price_milliunits is distinct from 0
        or orders.order_id is not null
        and (
            compared.is_other
            or coalesce(orders.app_account_token, users.app_account_token) <> charges.app_account_token
            or charges.storefront <> users.home_storefront
        )
    );
set local parallel_tuple_cost = default;
create temp view differing_pair as select * from differing_charge where order_id is not null;
