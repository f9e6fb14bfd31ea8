-- purpose: whose a purchase is, as far as Apple has said by now.
-- parameters: bundle_id, environment, original_transaction_id (text)
-- grain:   one row: the customer's id, null when nobody said
select max(transactions.app_transaction_id) as customer_id
from transactions
where transactions.original_transaction_id = :'original_transaction_id'::text
    and transactions.bundle_id = :'bundle_id'::text
    and transactions.environment = :'environment'::text;
