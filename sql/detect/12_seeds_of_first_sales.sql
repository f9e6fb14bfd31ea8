-- purpose: buyers of a product in the days after its first known sale, if an earlier sale became known: R08 leaves out purchases
--          soon after the first sale.
-- parameters: launch (interval): how long after the first sale purchases do not count
-- grain:   one row per chain
insert into scope_chain (original_transaction_id, round)
with changed as materialized (
    select decided.id
    from undetected
    cross join lateral unnest(undetected.ids) as decided (id)
    where undetected.kind = 'chain'
    union
    select scope_change.id from scope_change where scope_change.kind = 'chain'
),
changed_sale as materialized (
    select charges.bundle_id, charges.product_id, min(charges.purchased_at) as first_at
    from changed
    inner join charges on charges.original_transaction_id = changed.id
    where charges.environment = 'Production'
    group by charges.bundle_id, charges.product_id
),
product as materialized (
    select
        changed_sale.*,
        first_sale_at(changed_sale.bundle_id, changed_sale.product_id, array(select changed.id from changed)) as known_at
    from changed_sale
)
select distinct charges.original_transaction_id, 0
from product
inner join charges
    on charges.bundle_id = product.bundle_id
    and charges.product_id = product.product_id
    and (charges.purchased_at at time zone 'UTC')::date >= (product.known_at at time zone 'UTC')::date
    and (charges.purchased_at at time zone 'UTC')::date <= ((product.known_at + :'launch'::interval) at time zone 'UTC')::date
where product.first_at < product.known_at
    and charges.environment = 'Production'
    and charges.purchased_at < product.known_at + :'launch'::interval
on conflict do nothing;
