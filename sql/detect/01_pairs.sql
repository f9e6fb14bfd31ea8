-- purpose: both sides of every active match in Production, side by side for the classes that compare them.
-- grain:   one row per match
insert into detect_pair
select
    matches.order_id,
    matches.charge_id,
    matches.original_transaction_id,
    charges.transaction_ids[1],
    charges.bundle_id,
    charges.product_id,
    charges.type,
    orders.user_id,
    orders.status,
    charges.state,
    orders.currency,
    charges.currency,
    charges.revocation_type,
    orders.quantity,
    charges.quantity,
    orders.price_milliunits,
    charges.price_milliunits,
    charges.refunded_milliunits,
    charges.purchased_at,
    charges.expires_at,
    charges.revoked_at,
    charges.reversed_at,
    orders.delivered_at,
    orders.refunded_at,
    orders.entitlement_expires_at
from matches
inner join charges
    on charges.original_transaction_id = matches.original_transaction_id
    and charges.charge_id = matches.charge_id
inner join orders on orders.order_id = matches.order_id
where charges.environment = 'Production';
