-- purpose: adds the taken decisions of match runs, and everything connected with them, to the scope. For an order with only
--          a changed state the whole chain of its charge is visible (without a round), but only the order is evaluated.
-- grain:   one row per order and chain
insert into scope_order (order_id, round)
select id, 0
from detect_taken
where kind = 'order'
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select id, 0
from detect_taken
where kind = 'chain'
on conflict do nothing;
insert into scope_order (order_id, round)
select order_id, null::integer
from scope_state
union
select id, null
from detect_taken
where kind = 'order_state'
order by 1
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select original_transaction_id, null::integer
from scope_state
union
select id, null
from detect_taken
where kind = 'chain_state'
order by 1
on conflict do nothing;
analyze scope_order, scope_chain;
