-- purpose: current decisions on pairs at the clock that differ from those that the last match run used.
-- parameters: as_of (timestamptz)
-- grain:   one row per pair with a different decision
create temp table scope_decision on commit drop as
with current_decision as (
    select decided.order_id, decided.charge_id, charges.original_transaction_id, decided.action, decided.decision_id
    from decided_pairs_at(:'as_of'::timestamptz) as decided
    inner join charges on charges.charge_id = decided.charge_id
)
select
    coalesce(current_decision.order_id, honoured.order_id) as order_id,
    coalesce(current_decision.charge_id, honoured.charge_id) as charge_id,
    coalesce(current_decision.original_transaction_id, honoured.original_transaction_id) as original_transaction_id,
    current_decision.action, current_decision.decision_id
from current_decision
full join decided_pairs as honoured using (order_id, charge_id)
where (current_decision.action, current_decision.decision_id, current_decision.original_transaction_id)
    is distinct from (honoured.action, honoured.decision_id, honoured.original_transaction_id);
