-- purpose: the tokens of the users, and the users of the tokens, that a round reaches.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_key (key, kind, round)
select scope_fact.id, scope_fact.side, :'round'::integer + 1
from scope_fact
where scope_fact.round = :'round'::integer
    and scope_fact.side in ('user', 'token')
on conflict do nothing;
