-- purpose: transaction ids named by orders whose app and environment have no genuine evidence of them. Another app, or the
--          other environment, may have a transaction of the same number.
-- parameters: bundle_id (text), since (timestamptz): earliest order creation, after_id (text), row_max (bigint)
-- grain:   one row per transaction id, ordered by id
select distinct orders.transaction_id
from orders
where orders.bundle_id = :'bundle_id'::text
    and orders.created_at >= :'since'::timestamptz
    and orders.transaction_id > :'after_id'::text
    and not exists (
        select 1
        from transactions
        where transactions.transaction_id = orders.transaction_id
            and transactions.bundle_id = orders.bundle_id
            and transactions.environment = orders.environment
    )
order by orders.transaction_id
limit :'row_max'::bigint;
