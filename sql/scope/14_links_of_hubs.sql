-- purpose: whatever the keys of a round link: by user, token, device and order id, each looked up once. A device that
--          an order names matters only for what was handed over on it.
-- parameters: round (integer)
-- grain:   one row per link
insert into scope_link (side, id, round)
select reach_keys.side, reach_keys.id, :'round'::integer
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = case scope_hub.kind when 'seen_device' then 'device' else scope_hub.kind end
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('user', 'token', 'seen_device', 'order_id')
union all
select reach_keys.side, reach_keys.id, :'round'::integer
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = 'device'
    and reach_keys.side = 'evidence'
where scope_hub.round = :'round'::integer
    and scope_hub.kind = 'device';
