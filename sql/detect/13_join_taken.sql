-- purpose: what match runs decided is part of the scope; they closed it under all it reaches. An order of which only the
--          state changed is shown with the whole chain of its charge, in the round -1, and only the order is judged.
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
select order_id, -1
from scope_state
union
select id, -1
from detect_taken
where kind = 'order_state'
order by 1
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select original_transaction_id, -1
from scope_state
union
select id, -1
from detect_taken
where kind = 'chain_state'
order by 1
on conflict do nothing;
analyze scope_order, scope_chain;
