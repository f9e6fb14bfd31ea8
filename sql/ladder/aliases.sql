-- purpose: further transaction ids of the charges, besides their first.
-- grain:   one row per charge and transaction id
select charges.charge_id, alias.transaction_id, charges.original_transaction_id
from in_charges as charges
cross join lateral unnest(charges.transaction_ids[2:]) as alias (transaction_id)
where cardinality(charges.transaction_ids) > 1;
