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
insert into scope_state (order_id)
select id
from detect_taken
where kind = 'order_state'
on conflict do nothing;
insert into scope_order (order_id, round)
select order_id, -1
from scope_state
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select claims.original_transaction_id, -1
from scope_order
inner join claims on claims.order_id = scope_order.order_id
where scope_order.round = -1
order by claims.original_transaction_id
on conflict do nothing;
analyze scope_order, scope_chain;
