-- purpose: the chains that the keys of a round reach.
-- parameters: round (integer)
-- grain:   one row per chain
insert into scope_chain (original_transaction_id, round)
select match_keys.route, :'round'::integer + 1
from scope_hub
inner join match_keys
    on match_keys.key = scope_hub.key
    and match_keys.kind = scope_hub.kind
    and match_keys.side = 'charge'
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('transaction_id', 'line_item', 'original', 'order_id')
union all
select reach_keys.id, :'round'::integer + 1
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = scope_hub.kind
    and reach_keys.side = 'chain'
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'token'
union all
select charges.original_transaction_id, :'round'::integer + 1
from scope_hub
inner join charges on charges.original_transaction_id = scope_hub.key
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'original'
on conflict do nothing;
