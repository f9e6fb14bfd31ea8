-- purpose: the families of the users that a round found: rules about groups count a household once.
-- parameters: round (integer)
-- grain:   one row per user
insert into scope_key (key, kind, round)
select distinct fellow.subject_id, 'user', :'round'::integer + 1
from scope_key
inner join list_entries as member
    on member.subject_id = scope_key.key
    and member.list = 'family'
inner join list_entries as fellow
    on fellow.family = member.family
    and fellow.list = 'family'
where scope_key.round = :'round'::integer
    and scope_key.kind = 'user'
on conflict do nothing;
