-- purpose: takes the changes that came in since the last run; what commits later stays for the next one.
-- grain:   one row per changed fact
create temp table scope_change on commit drop as
with taken as (
    delete from changes
    returning kind, ids
)
select distinct taken.kind, changed.id
from taken
cross join lateral unnest(taken.ids) as changed (id);
analyze scope_change;
insert into scope_order (order_id, round)
select id, 0
from scope_change
where kind = 'order';
insert into scope_chain (original_transaction_id, round)
select id, 0
from scope_change
where kind = 'chain';
insert into scope_evidence (sha256, round)
select id, 0
from scope_change
where kind = 'evidence';
insert into scope_hub (key, kind, round)
select id, 'user', 0
from scope_change
where kind = 'user';
analyze scope_order, scope_chain, scope_evidence, scope_hub;
