-- purpose: the orders that the keys of a round reach. A device matters only when evidence was handed over on it.
-- parameters: round (integer)
-- grain:   one row per order
insert into scope_order (order_id, round)
select match_keys.id, :'round'::integer + 1
from scope_hub
inner join match_keys
    on match_keys.key = scope_hub.key
    and match_keys.kind = case scope_hub.kind when 'chain_evidence' then 'evidence' else scope_hub.kind end
    and match_keys.side = 'order'
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('transaction_id', 'line_item', 'original', 'evidence', 'chain_evidence')
union all
select reach_keys.id, :'round'::integer + 1
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = case scope_hub.kind when 'seen_device' then 'device' else scope_hub.kind end
    and reach_keys.side = 'order'
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('user', 'token', 'seen_device')
union all
select orders.order_id, :'round'::integer + 1
from scope_hub
inner join orders on orders.order_id = scope_hub.key
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'order_id'
    and not exists (select from scope_order where scope_order.order_id = scope_hub.key)
on conflict do nothing;
