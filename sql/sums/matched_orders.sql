-- purpose: orders matched with the selected chains.
-- grain:   one row per order
insert into sums_order (order_id)
select matches.order_id
from sums_chain
inner join payrecon.matches on matches.original_transaction_id = sums_chain.chain
on conflict do nothing;
