-- purpose: users who bought in another storefront than their home's.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per user
insert into rule_interest (user_id)
select distinct users.user_id
from users
inner join orders on orders.user_id = users.user_id
inner join claims on claims.order_id = orders.order_id
inner join charges
    on charges.original_transaction_id = claims.original_transaction_id
    and charges.charge_id = claims.charge_id
where users.home_storefront is not null
    and charges.storefront <> users.home_storefront
    and charges.environment = 'Production'
    and charges.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval;
