-- purpose: customers with charges in the window. Apple answers with the customer's whole refund history for any of its
--          ids. As for histories, our token does not identify a customer.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per customer: its best available id, and a transaction id for the request
with purchase as (
    select transactions.original_transaction_id, max(transactions.app_transaction_id) as app_transaction_id
    from transactions
    where transactions.bundle_id = :'bundle_id'::text
        and transactions.environment = :'environment'::text
        and transactions.purchased_at >= :'since'::timestamptz
    group by transactions.original_transaction_id
),
named as (
    select
        purchase.original_transaction_id,
        coalesce(customer.customer_id, purchase.app_transaction_id, purchase.original_transaction_id) as customer_id
    from purchase
    left join customer_purchases as customer
        on customer.original_transaction_id = purchase.original_transaction_id
        and customer.bundle_id = :'bundle_id'::text
        and customer.environment = :'environment'::text
)
select named.customer_id, min(named.original_transaction_id) as original_transaction_id
from named
where named.customer_id > :'after_id'::text
group by named.customer_id
order by named.customer_id
limit :'row_max'::bigint;
