-- purpose: records the purchases that a customer's history assigns to that customer, in the transaction that stores
--          them.
-- parameters: bundle_id, environment, customer_id (text)
-- grain:   one row per purchase that no history assigned before
insert into customer_purchases (bundle_id, environment, original_transaction_id, customer_id)
select distinct :'bundle_id'::text, :'environment'::text, staged_evidence.original_transaction_id, :'customer_id'::text
from staged_evidence
where staged_evidence.original_transaction_id is not null
on conflict do nothing;
