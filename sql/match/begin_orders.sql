-- purpose: stores the order of each new match; a primary key rejects a second match of an order.
-- grain:   one row per match
insert into payrecon.matched_orders (order_id, charge_id, original_transaction_id)
select order_id, charge_id, original_transaction_id
from match_change
where change = 'begun'
order by order_id;
