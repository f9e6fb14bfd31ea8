-- purpose: users that bought in a storefront other than their home storefront.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per user
insert into rule_interest (user_id)
with ordered as materialized (
    select users.user_id, users.home_storefront, orders.order_id
    from users
    inner join in_orders as orders on orders.user_id = users.user_id
    where users.home_storefront is not null
)
select distinct ordered.user_id
from ordered
inner join in_matched_orders as matched_orders on matched_orders.order_id = ordered.order_id
inner join in_charges as charges
    on charges.original_transaction_id = matched_orders.original_transaction_id
    and charges.charge_id = matched_orders.charge_id
where charges.storefront <> ordered.home_storefront
    and charges.environment = 'Production'
    and charges.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval;
