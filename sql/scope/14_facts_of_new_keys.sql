-- purpose: whatever the keys of a round lead to of what came in since keys were written, as 14_facts_of_keys says of that.
-- parameters: round (integer)
-- grain:   one row per key and fact
insert into scope_fact (side, id, round)
select scope_new_key.side, scope_new_key.id, :'round'::integer
from scope_key
inner join scope_new_key
    on scope_new_key.key = scope_key.key
    and scope_new_key.kind = case scope_key.kind when 'seen_device' then 'device' else scope_key.kind end
where scope_key.round = :'round'::integer
    and scope_key.kind in ('user', 'token', 'seen_device', 'order_id', 'device')
    and (scope_key.kind <> 'device' or scope_new_key.side = 'evidence');
