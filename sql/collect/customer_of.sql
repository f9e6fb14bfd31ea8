-- purpose: the Apple customer of a purchase, as far as Apple has stated it.
-- parameters: bundle_id, environment, original_transaction_id (text)
-- grain:   one row: the customer's id, null if unknown
select coalesce(
    (
        select customer_purchases.customer_id
        from customer_purchases
        where customer_purchases.original_transaction_id = :'original_transaction_id'::text
            and customer_purchases.bundle_id = :'bundle_id'::text
            and customer_purchases.environment = :'environment'::text
    ),
    (
        select max(transactions.app_transaction_id)
        from transactions
        where transactions.original_transaction_id = :'original_transaction_id'::text
            and transactions.bundle_id = :'bundle_id'::text
            and transactions.environment = :'environment'::text
    )
) as customer_id;
