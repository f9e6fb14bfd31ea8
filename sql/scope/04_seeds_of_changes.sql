-- purpose: a scope begins with what changed.
-- grain:   one row per changed fact
analyze scope_change;
insert into scope_order (order_id, round)
select id, 0
from scope_change
where kind = 'order'
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select id, 0
from scope_change
where kind = 'chain'
on conflict do nothing;
insert into scope_evidence (sha256, round)
select id, 0
from scope_change
where kind = 'evidence'
on conflict do nothing;
insert into scope_hub (key, kind, round)
select id, 'user', 0
from scope_change
where kind = 'user'
on conflict do nothing;
analyze scope_order, scope_chain, scope_evidence, scope_hub;
