-- purpose: the orders that a round reaches, by keys and by what people decided.
-- parameters: round (integer)
-- grain:   one row per order
insert into scope_order (order_id, round)
select scope_fact.id, :'round'::integer + 1
from scope_fact
where scope_fact.round = :'round'::integer
    and scope_fact.side = 'order'
union all
select orders.order_id, :'round'::integer + 1
from scope_key
inner join orders on orders.order_id = scope_key.key
where scope_key.round = :'round'::integer
    and scope_key.kind = 'order_id'
union all
select decided_pairs.order_id, :'round'::integer + 1
from scope_chain
inner join decided_pairs on decided_pairs.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round = :'round'::integer
order by 1
on conflict do nothing;
