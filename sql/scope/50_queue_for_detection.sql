-- purpose: queues the decisions of a match run for the next detect run.
-- grain:   one row per kind: orders, chains, orders with a changed state, and their chains
insert into undetected (first_id, kind, ids)
select min(decided.id), decided.kind, array_agg(decided.id)
from (
    select 'order' as kind, order_id as id from scope_order
    union all
    select 'chain', original_transaction_id from scope_chain
    union all
    select 'order_state', order_id from scope_state
    union all
    select distinct 'chain_state', original_transaction_id from scope_state
) as decided
group by decided.kind
on conflict (first_id, kind) do update
set ids = undetected.ids || excluded.ids;
