-- purpose: the changed chains' matches as they stood at the clock that is asked for.
-- grain:   one row per match
insert into pg_temp.matches
select told.*
from payrecon.matches_at(payrecon.asked_at()) as told
where told.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
