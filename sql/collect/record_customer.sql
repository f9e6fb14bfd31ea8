-- purpose: records the purchases that a customer's history assigns to that customer, in the transaction that stores them.
-- parameters: bundle_id, environment, customer_id (text), original_transaction_ids (text[]): distinct
-- grain:   one row per purchase that no history assigned before
insert into customer_purchases (bundle_id, environment, original_transaction_id, customer_id)
select :'bundle_id'::text, :'environment'::text, purchase.original_transaction_id, :'customer_id'::text
from unnest(:'original_transaction_ids'::text[]) as purchase (original_transaction_id)
on conflict do nothing;
