-- purpose: the tokens of the users, and the users of the tokens, that a round found.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_hub (key, kind, round)
select reach_keys.id, reach_keys.side, :'round'::integer + 1
from scope_hub
inner join reach_keys
    on reach_keys.key = scope_hub.key
    and reach_keys.kind = scope_hub.kind
    and reach_keys.side in ('user', 'token')
where scope_hub.round = :'round'::integer
    and scope_hub.kind in ('user', 'token')
on conflict do nothing;
