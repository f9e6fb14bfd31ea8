-- purpose: updates the decisions that the ladder uses.
-- grain:   one row per pair with a different decision
delete from decided_pairs
using scope_decision
where decided_pairs.order_id = scope_decision.order_id
    and decided_pairs.charge_id = scope_decision.charge_id;
insert into decided_pairs (order_id, charge_id, original_transaction_id, action, decision_id)
select order_id, charge_id, original_transaction_id, action, decision_id
from scope_decision
where action is not null;
