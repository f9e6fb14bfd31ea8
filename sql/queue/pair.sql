-- purpose: whether an order and a charge about which somebody decides are there, and of one app and environment.
-- parameters: order_id, charge_id (text)
-- grain:   one row
select
    count(orders.order_id) > 0 as has_order,
    count(charges.charge_id) > 0 as has_charge,
    coalesce(
        bool_and(orders.bundle_id = charges.bundle_id and orders.environment = charges.environment), false
    ) as is_one_app
from (select :'order_id'::text as order_id, :'charge_id'::text as charge_id) as named
left join orders on orders.order_id = named.order_id
left join charges on charges.charge_id = named.charge_id;
