-- purpose: what match runs decided is part of the scope; they closed it under all it reaches.
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
analyze scope_order, scope_chain;
