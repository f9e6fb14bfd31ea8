-- purpose: the chains that the orders pay. A match that is another than before has named both of its sides already.
-- grain:   one row per chain
insert into sums_chain (chain)
select matched_orders.original_transaction_id
from sums_order
inner join payrecon.matched_orders on matched_orders.order_id = sums_order.order_id
on conflict do nothing;
