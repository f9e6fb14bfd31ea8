-- purpose: adds orders and charges with a different decision to a match scope.
-- grain:   one row per order and chain
insert into scope_order (order_id, round)
select distinct order_id, 0
from scope_decision
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select distinct original_transaction_id, 0
from scope_decision
on conflict do nothing;
