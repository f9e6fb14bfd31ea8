-- purpose: purchases of customers with charges in the window. Apple answers with the customer's whole refund history for any
--          of its ids, so the caller requests each customer once.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), until_id (text): greatest id or empty,
--             row_max (bigint)
-- grain:   one row per purchase, ordered by its original transaction id
with purchase_page as materialized (
    select transactions.original_transaction_id
    from transactions
    where transactions.bundle_id = :'bundle_id'::text
        and transactions.environment = :'environment'::text
        and transactions.purchased_at >= :'since'::timestamptz
        and transactions.original_transaction_id > :'after_id'::text
        and (:'until_id'::text = '' or transactions.original_transaction_id <= :'until_id'::text)
    group by transactions.original_transaction_id
    order by transactions.original_transaction_id
    limit :'row_max'::bigint
)
select customer.original_transaction_id, customer.customer_id
from customers_of(
    :'bundle_id'::text, :'environment'::text, array(select purchase_page.original_transaction_id from purchase_page)
) as customer
order by customer.original_transaction_id collate "C";
