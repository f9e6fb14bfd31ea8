-- purpose: the Apple customer of a purchase, as far as Apple has stated it.
-- parameters: bundle_id, environment, original_transaction_id (text)
-- grain:   one row
select customer.customer_id
from customers_of(:'bundle_id'::text, :'environment'::text, array[:'original_transaction_id'::text]) as customer;
