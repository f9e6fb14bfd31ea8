-- purpose: the changed chains' charges as they stood at the clock that is asked for.
-- grain:   one row per charge
insert into pg_temp.charges
select told.*
from payrecon.charges_at(payrecon.asked_at()) as told
where told.original_transaction_id = any(array(select sums_chain.chain from sums_chain));
