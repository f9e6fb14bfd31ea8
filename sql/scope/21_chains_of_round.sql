-- purpose: the chains that a round reaches; one that an order names need not exist.
-- parameters: round (integer)
-- grain:   one row per chain
insert into scope_chain (original_transaction_id, round)
select scope_fact.id, :'round'::integer + 1
from scope_fact
where scope_fact.round = :'round'::integer
    and scope_fact.side = 'chain'
union all
select scope_key.key, :'round'::integer + 1
from scope_key
where scope_key.round = :'round'::integer
    and scope_key.kind = 'original'
union all
select decided_pairs.original_transaction_id, :'round'::integer + 1
from scope_order
inner join decided_pairs on decided_pairs.order_id = scope_order.order_id
where scope_order.round = :'round'::integer
order by 1
on conflict do nothing;
