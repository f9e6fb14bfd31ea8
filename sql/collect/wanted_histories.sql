-- purpose: customers whose history may explain open items: charges without an order, refunds that Apple may reverse,
--          and orders without a charge that name a chain or whose user bought before. Apple answers with the
--          customer's whole history for any of its ids, so each customer is requested once.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per customer: its best available id, and a transaction id for the request
with open_user as materialized (
    select distinct orders.user_id
    from orders
    where orders.bundle_id = :'bundle_id'::text
        and orders.environment = :'environment'::text
        and orders.created_at >= :'since'::timestamptz
        and orders.status in ('paid', 'delivered')
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
order_of_user as materialized (
    select orders.order_id
    from open_user
    inner join orders on orders.user_id = open_user.user_id
    where orders.bundle_id = :'bundle_id'::text
        and orders.environment = :'environment'::text
        and orders.created_at >= :'since'::timestamptz
),
wanted as (
    select charges.original_transaction_id
    from charges
    where charges.bundle_id = :'bundle_id'::text
        and charges.environment = :'environment'::text
        and charges.purchased_at >= :'since'::timestamptz
        and (
            charges.revoked_at is not null
            or not exists (
                select 1
                from matches
                where matches.original_transaction_id = charges.original_transaction_id
                    and matches.charge_id = charges.charge_id
            )
        )
    union
    select matched_orders.original_transaction_id
    from order_of_user
    inner join matched_orders on matched_orders.order_id = order_of_user.order_id
    union
    select orders.original_transaction_id
    from orders
    where orders.bundle_id = :'bundle_id'::text
        and orders.environment = :'environment'::text
        and orders.created_at >= :'since'::timestamptz
        and orders.original_transaction_id is not null
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
-- A purchase's customer is known from a history that contained it or from Apple's app transaction id. Our token does
-- not identify a customer, since it may be on two Apple accounts.
known_customer as materialized (
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
        coalesce(customer.customer_id, known_customer.app_transaction_id, wanted.original_transaction_id) as customer_id
    from wanted
    left join known_customer on known_customer.original_transaction_id = wanted.original_transaction_id
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
