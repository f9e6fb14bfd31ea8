-- purpose: matches of the selected chains as of the report's clock.
-- grain:   one row per match
insert into pg_temp.summed_matches (original_transaction_id, charge_id, order_id, confidence)
select match.original_transaction_id, match.charge_id, match.order_id, match.confidence
from payrecon.matches_at(payrecon.viewed_at()) as match
where match.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
