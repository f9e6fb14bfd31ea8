-- purpose: adds decisions and state changes since the partitioning to the scope, since a partition may have seen the older
--          state.
-- grain:   one row per order and chain
insert into scope_order (order_id, round)
select id, 0
from detect_taken
where kind in ('order', 'order_state')
union
select order_id, 0
from scope_state
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select id, 0
from detect_taken
where kind in ('chain', 'chain_state')
union
select original_transaction_id, 0
from scope_state
on conflict do nothing;
