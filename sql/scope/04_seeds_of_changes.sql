-- purpose: starts a scope with the changes. A state-only change of an order matched by keys affects no match, and affects a
--          refusal only if another order claims the same charge.
-- grain:   one row per changed fact
analyze scope_change;
insert into scope_state (order_id, original_transaction_id)
with matched as materialized (
    select matched_orders.order_id, matched_orders.original_transaction_id, matched_orders.charge_id
    from scope_change
    inner join matched_orders on matched_orders.order_id = scope_change.id
    where scope_change.kind = 'order_state'
),
contested as materialized (
    select refused_claims.counterpart from refused_claims where refused_claims.counterpart is not null
)
select matched.order_id, matched.original_transaction_id
from matched
inner join matches using (original_transaction_id, charge_id)
where matches.confidence <> 'heuristic'
    and matched.order_id not in (select contested.counterpart from contested);
insert into scope_order (order_id, round)
select id, 0
from scope_change
where kind = 'order'
    or (kind = 'order_state' and not exists (select 1 from scope_state where scope_state.order_id = scope_change.id))
on conflict do nothing;
insert into scope_chain (original_transaction_id, round)
select id, 0
from scope_change
where kind = 'chain'
on conflict do nothing;
insert into scope_evidence (sha256, round)
select decode(id, 'hex'), 0
from scope_change
where kind = 'evidence'
on conflict do nothing;
insert into scope_key (key, kind, round)
select id, 'user', 0
from scope_change
where kind = 'user';
analyze scope_order, scope_chain, scope_evidence, scope_key;
