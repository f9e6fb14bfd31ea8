-- purpose: customers with charges in the window. Apple answers with the customer's whole refund history for any of its
--          ids.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per customer: its best available id, and a transaction id for the request
select customer.customer_id, min(customer.original_transaction_id) as original_transaction_id
from (
    select
        coalesce(transactions.app_transaction_id, transactions.app_account_token, transactions.original_transaction_id)
            as customer_id,
        transactions.original_transaction_id
    from transactions
    where transactions.bundle_id = :'bundle_id'::text
        and transactions.environment = :'environment'::text
        and transactions.purchased_at >= :'since'::timestamptz
) as customer
where customer.customer_id > :'after_id'::text
group by customer.customer_id
order by customer.customer_id
limit :'row_max'::bigint;
