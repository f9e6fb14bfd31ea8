-- purpose: customers whose history may explain what is open: charges without order and orders without charge that name
--          a chain, one transaction id of each.
-- parameters: bundle_id, environment (text), since (timestamptz), after_id (text), row_max (bigint)
-- grain:   one row per original transaction id, in their order
select wanted.original_transaction_id
from (
    select charges.original_transaction_id
    from charges
    where charges.bundle_id = :'bundle_id'::text
        and charges.environment = :'environment'::text
        and charges.purchased_at >= :'since'::timestamptz
        and not exists (
            select
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
        and not exists (select from claims where claims.order_id = orders.order_id)
) as wanted
where wanted.original_transaction_id > :'after_id'::text
order by wanted.original_transaction_id
limit :'row_max'::bigint;
