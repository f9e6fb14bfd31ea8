-- purpose: what was decided since the pieces were cut, and of which only the state changed, is looked at anew with all it reaches: a
--          piece may have seen it as it was.
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
