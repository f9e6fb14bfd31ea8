-- purpose: removes from the queue the decisions of match runs that no detect run has evaluated, and adds them, with everything
--          connected with them, to the scope. For an order with only a changed state the whole chain of its charge is visible
--          (without a round), but only the order is evaluated. Later commits stay in the queue for the next run.
-- grain:   one row per order and chain
with taken as (
    delete from undetected
    returning kind, ids
),
decided as materialized (
    select taken.kind, decision.id
    from taken
    cross join lateral unnest(taken.ids) as decision (id)
    union all
    select state.kind, state.id
    from scope_state
    cross join lateral (
        values ('order_state', scope_state.order_id), ('chain_state', scope_state.original_transaction_id)
    ) as state (kind, id)
),
decided_order as (
    insert into scope_order (order_id, round)
    select decided.id, min(case decided.kind when 'order' then 0 end)
    from decided
    where decided.kind in ('order', 'order_state')
    group by decided.id
    order by decided.id
    on conflict do nothing
)
insert into scope_chain (original_transaction_id, round)
select decided.id, min(case decided.kind when 'chain' then 0 end)
from decided
where decided.kind in ('chain', 'chain_state')
group by decided.id
order by decided.id
on conflict do nothing;
analyze scope_order, scope_chain;
