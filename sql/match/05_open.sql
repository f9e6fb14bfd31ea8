-- purpose: the orders and charges that no single claim or token decides.
-- grain:   one row per order, and per charge
insert into match_open_order (order_id, token, product_id, bundle_id, environment, user_id, created_at)
select
    orders.order_id,
    coalesce(orders.app_account_token, users.app_account_token),
    orders.product_id,
    orders.bundle_id,
    orders.environment,
    orders.user_id,
    orders.created_at
from orders
left join users on users.user_id = orders.user_id
where not exists (select from match_plain where match_plain.order_id = orders.order_id);
insert into match_open_charge (
    charge_id, original_transaction_id, token, product_id, bundle_id, environment, type, purchased_at
)
select
    charges.charge_id,
    charges.original_transaction_id,
    charges.app_account_token,
    charges.product_id,
    charges.bundle_id,
    charges.environment,
    charges.type,
    charges.purchased_at
from charges
where not exists (select from match_plain where match_plain.charge_id = charges.charge_id);
