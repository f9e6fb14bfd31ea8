-- purpose: every transaction id of the charges.
-- grain:   one row per charge and transaction id
select charges.charge_id, alias.transaction_id, charges.original_transaction_id
from in_charges as charges
cross join lateral unnest(charges.transaction_ids) as alias (transaction_id)
order by charges.charge_id;
