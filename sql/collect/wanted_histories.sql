-- purpose: purchases of customers whose history may resolve open items: charges without an order, refunds that Apple may
--          reverse, and orders without a charge that name a chain or whose user bought before. Apple answers with the
--          customer's whole history for any of its ids, so the caller requests each customer once.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), until_id (text): greatest id or empty,
--             row_max (bigint)
-- grain:   one row per purchase, ordered by its original transaction id
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
purchase_page as materialized (
    select wanted.original_transaction_id
    from wanted
    where wanted.original_transaction_id > :'after_id'::text
        and (:'until_id'::text = '' or wanted.original_transaction_id <= :'until_id'::text)
    order by wanted.original_transaction_id
    limit :'row_max'::bigint
)
select customer.original_transaction_id, customer.customer_id
from customers_of(
    :'bundle_id'::text, :'environment'::text, array(select purchase_page.original_transaction_id from purchase_page)
) as customer
order by customer.original_transaction_id collate "C";
