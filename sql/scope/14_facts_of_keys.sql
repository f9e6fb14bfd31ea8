-- purpose: whatever the keys of a round lead to: user, token, device and order id, each looked up once. A device that
--          an order names matters only for what was handed over on it.
-- parameters: round (integer)
-- grain:   one row per key and fact
insert into scope_fact (side, id, round)
select component_keys.side, component_keys.id, :'round'::integer
from scope_key
inner join component_keys
    on component_keys.key = scope_key.key
    and component_keys.kind = case scope_key.kind when 'seen_device' then 'device' else scope_key.kind end
where scope_key.round = :'round'::integer
    and scope_key.kind in ('user', 'token', 'seen_device', 'order_id')
union all
select component_keys.side, component_keys.id, :'round'::integer
from scope_key
inner join component_keys
    on component_keys.key = scope_key.key
    and component_keys.kind = 'device'
    and component_keys.side = 'evidence'
where scope_key.round = :'round'::integer
    and scope_key.kind = 'device';
