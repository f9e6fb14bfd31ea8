-- purpose: the named chains' matches as they stood at the clock that is asked for.
-- grain:   one row per match
insert into pg_temp.summed_matches (original_transaction_id, charge_id, order_id, confidence)
select told.original_transaction_id, told.charge_id, told.order_id, told.confidence
from payrecon.matches_at(payrecon.viewed_at()) as told
where told.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
