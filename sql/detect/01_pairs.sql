-- purpose: order and charge of every active Production match whose sides may differ, for the break classes and rules that
--          compare them. A delivered, unrefunded order with the charge's amount and user's token is left
--          out. user_token is null if the order has a token itself.
-- grain:   one row per match
drop table if exists differing_pair;
create temp table differing_pair on commit drop as
select
    matches.order_id,
    matches.charge_id,
    matches.original_transaction_id,
    charges.transaction_ids[1] as transaction_id,
    charges.bundle_id,
    charges.product_id,
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
    users.app_account_token as user_token,
    charges.app_account_token as charge_token,
    orders.created_at,
    orders.delivered_at,
    orders.refunded_at,
    orders.entitlement_expires_at
from in_matches as matches
inner join in_charges as charges
    on charges.original_transaction_id = matches.original_transaction_id
    and charges.charge_id = matches.charge_id
inner join in_orders as orders on orders.order_id = matches.order_id
left join in_users as users
    on users.user_id = orders.user_id
    and orders.app_account_token is null
-- Without users, so that the rows that are left out never leave the join.
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
    and (compared.is_other or orders.app_account_token is distinct from charges.app_account_token)
    and (compared.is_other or coalesce(orders.app_account_token, users.app_account_token) <> charges.app_account_token);
