-- purpose: a scope begins with the orders and chains that somebody asks about.
-- parameters: order_ids, chains (text[])
-- grain:   one row per order and chain
with asked_order as (
    insert into scope_order (order_id, round)
    select distinct asked.order_id, 0
    from unnest(:'order_ids'::text[]) as asked (order_id)
)
insert into scope_chain (original_transaction_id, round)
select distinct asked.original_transaction_id, 0
from unnest(:'chains'::text[]) as asked (original_transaction_id);
