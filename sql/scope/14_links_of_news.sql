-- purpose: whatever the keys of a round link by what came in since links were written, as 14_links_of_hubs says of those.
-- parameters: round (integer)
-- grain:   one row per link
insert into scope_link (side, id, round)
select scope_new_link.side, scope_new_link.id, :'round'::integer
from scope_hub
inner join scope_new_link
    on scope_new_link.key = scope_hub.key
    and scope_new_link.kind = case scope_hub.kind when 'seen_device' then 'device' else scope_hub.kind end
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('user', 'token', 'seen_device', 'order_id', 'device')
    and (scope_hub.kind <> 'device' or scope_new_link.side = 'evidence');
