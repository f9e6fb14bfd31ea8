-- purpose: starts a scope with requested orders and chains.
-- parameters: order_ids, chains (text[])
-- grain:   one row per order and chain
with requested_order as (
    insert into scope_order (order_id, round)
    select distinct requested.order_id, 0
    from unnest(:'order_ids'::text[]) as requested (order_id)
)
insert into scope_chain (original_transaction_id, round)
select distinct requested.original_transaction_id, 0
from unnest(:'chains'::text[]) as requested (original_transaction_id);
