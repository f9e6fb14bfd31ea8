-- purpose: adds the other side of each match to the selected chains and orders, so that no omitted row affects the result. A
--          changed match has already added both of its sides.
-- grain:   one row per chain or order
analyze sums_chain, sums_order;
insert into sums_chain (chain)
select matched_orders.original_transaction_id
from sums_order
inner join payrecon.matched_orders on matched_orders.order_id = sums_order.order_id
on conflict do nothing;
insert into sums_order (order_id)
select matches.order_id
from sums_chain
inner join payrecon.matches on matches.original_transaction_id = sums_chain.chain
on conflict do nothing;
