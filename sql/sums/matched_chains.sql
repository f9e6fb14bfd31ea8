-- purpose: chains of the selected orders' charges. A changed match has already added both of its sides.
-- grain:   one row per chain
insert into sums_chain (chain)
select matched_orders.original_transaction_id
from sums_order
inner join payrecon.matched_orders on matched_orders.order_id = sums_order.order_id
on conflict do nothing;
