-- purpose: keeps the version of an order that a newer one replaces.
-- parameters: none
-- grain:   one row per replaced version
insert into order_versions
select orders.*, judged_order.batch_id
from orders
inner join judged_order on judged_order.order_id = orders.order_id
where judged_order.outcome = 'newer'
on conflict do nothing;
