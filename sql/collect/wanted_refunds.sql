-- purpose: customers with charges in the window: Apple's refund history is a customer's, whichever id asks for it.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per customer: who it is, by the best id there is, and a transaction id to ask with
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
