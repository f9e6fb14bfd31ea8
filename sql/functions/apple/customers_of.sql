-- purpose: Returns Apple's customer of each purchase: the one of a history that listed it, else Apple's app transaction id
--          in any of its transactions. A purchase without either is its own customer. Our token does not identify a
--          customer, because two Apple accounts may carry it.
-- parameters: original_transaction_ids: distinct
-- grain:   one row per purchase
create or replace function payrecon.customers_of(bundle_id text, environment text, original_transaction_ids text[])
returns table (original_transaction_id text, customer_id text)
language sql stable parallel safe
as $$
    with purchase as materialized (
        select asked.original_transaction_id, customers_of.bundle_id, customers_of.environment
        from unnest(customers_of.original_transaction_ids) as asked (original_transaction_id)
    ),
    stated as materialized (
        select
            transactions.original_transaction_id, transactions.bundle_id, transactions.environment,
            max(transactions.app_transaction_id) as app_transaction_id
        from purchase
        inner join payrecon.transactions using (original_transaction_id, bundle_id, environment)
        group by transactions.original_transaction_id, transactions.bundle_id, transactions.environment
    )
    select
        purchase.original_transaction_id,
        coalesce(customer.customer_id, stated.app_transaction_id, purchase.original_transaction_id)
    from purchase
    left join stated using (original_transaction_id, bundle_id, environment)
    left join payrecon.customer_purchases as customer using (original_transaction_id, bundle_id, environment)
$$;
