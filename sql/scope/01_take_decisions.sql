-- purpose: what two people decided about orders and charges, as it stands at the clock, in the place of what the last match
--          run honoured.
-- parameters: as_of (timestamptz)
-- grain:   one row per pair on which something else is decided now
create temp table scope_decision on commit drop as
with standing as (
    select
        decided.order_id, decided.charge_id, charges.original_transaction_id, decided.action, decided.decision_id
    from decided_pairs_at(:'as_of'::timestamptz) as decided
    inner join charges on charges.charge_id = decided.charge_id
)
select
    coalesce(standing.order_id, honoured.order_id) as order_id,
    coalesce(standing.charge_id, honoured.charge_id) as charge_id,
    coalesce(standing.original_transaction_id, honoured.original_transaction_id) as original_transaction_id,
    standing.action,
    standing.decision_id
from standing
full join decided_pairs as honoured
    on honoured.order_id = standing.order_id
    and honoured.charge_id = standing.charge_id
where (standing.action, standing.decision_id, standing.original_transaction_id)
    is distinct from (honoured.action, honoured.decision_id, honoured.original_transaction_id);
