-- purpose: customers whose history may explain what is open: charges without order and orders without charge that name
--          a chain. Apple's history is a customer's, whichever id asks for it, so each is asked once.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per customer: who it is, by the best id there is, and a transaction id to ask with
with wanted as (
    select charges.original_transaction_id
    from charges
    where charges.bundle_id = :'bundle_id'::text
        and charges.environment = :'environment'::text
        and charges.purchased_at >= :'since'::timestamptz
        and not exists (
            select 1
            from matches
            where matches.original_transaction_id = charges.original_transaction_id
                and matches.charge_id = charges.charge_id
        )
    union
    select orders.original_transaction_id
    from orders
    where orders.bundle_id = :'bundle_id'::text
        and orders.environment = :'environment'::text
        and orders.created_at >= :'since'::timestamptz
        and orders.original_transaction_id is not null
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
-- Whose a purchase is tell a history that held it, and Apple's id of customer and app; a token of ours may be on two Apple
-- accounts.
told as materialized (
    select transactions.original_transaction_id, max(transactions.app_transaction_id) as app_transaction_id
    from wanted
    inner join transactions on transactions.original_transaction_id = wanted.original_transaction_id
    where transactions.bundle_id = :'bundle_id'::text
        and transactions.environment = :'environment'::text
    group by transactions.original_transaction_id
),
named as (
    select
        wanted.original_transaction_id,
        coalesce(customer.customer_id, told.app_transaction_id, wanted.original_transaction_id) as customer_id
    from wanted
    left join told on told.original_transaction_id = wanted.original_transaction_id
    left join customer_purchases as customer
        on customer.original_transaction_id = wanted.original_transaction_id
        and customer.bundle_id = :'bundle_id'::text
        and customer.environment = :'environment'::text
)
select named.customer_id, min(named.original_transaction_id) as original_transaction_id
from named
where named.customer_id > :'after_id'::text
group by named.customer_id
order by named.customer_id
limit :'row_max'::bigint;
