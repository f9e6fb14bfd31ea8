-- purpose: queues the charges whose breaks this tie-out changed for the next detect run, because rules read these breaks.
-- grain:   at most one row
insert into payrecon.undetected (first_id, kind, ids)
select min(changed.original_transaction_id), 'chain', array_agg(changed.original_transaction_id)
from (
    select distinct charges.original_transaction_id
    from detect_changed
    inner join charges on charges.charge_id = detect_changed.charge_id
) as changed
having count(*) > 0
on conflict (first_id, kind) do update
set ids = undetected.ids || excluded.ids;
