-- purpose: makes the charges whose breaks this tie-out changed due for detect, because rules read these breaks.
-- grain:   one row per chain
insert into payrecon.detect_due (id, kind, due_at)
select distinct charges.original_transaction_id, 'chain', tie_run.as_of
from detect_changed
cross join tie_run
inner join charges on charges.charge_id = detect_changed.charge_id
on conflict do nothing;
