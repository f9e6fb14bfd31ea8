-- purpose: the tokens of the users, and the users of the tokens, that a round reaches.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_hub (key, kind, round)
select scope_link.id, scope_link.side, :'round'::integer + 1
from scope_link
where scope_link.round = :'round'::integer
    and scope_link.side in ('user', 'token')
on conflict do nothing;
