-- purpose: what stands opposite some orders and charges: the order that holds a claimed charge, the charge that pays an
--          order, the order that a charge pays, and the second charge of an order.
-- parameters: order_ids, charge_ids (text[]), rows (bigint)
-- grain:   one row per id and counterpart
with refused as materialized (
    select refused_claims.order_id, refused_claims.counterpart, refused_claims.charge_id
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join refused_claims on refused_claims.order_id = wanted.order_id
),
charged as materialized (
    select charges.original_transaction_id, charges.charge_id
    from charges
    where charges.charge_id = any(:'charge_ids'::text[])
),
paired as materialized (
    select matched_orders.order_id, matched_orders.charge_id
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join matched_orders on matched_orders.order_id = wanted.order_id
)
select opposite.kind, opposite.id, opposite.of_id
from (
    select 'order' as kind, refused.counterpart as id, refused.order_id as of_id from refused where refused.counterpart is not null
    union
    select 'charge', refused.charge_id, refused.order_id from refused where refused.charge_id is not null
    union
    select 'charge', paired.charge_id, paired.order_id from paired
    union
    select 'order', matches.order_id, charged.charge_id
    from charged
    inner join matches using (original_transaction_id, charge_id)
    union
    select 'order', second_charges.order_id, charged.charge_id
    from charged
    inner join second_charges using (original_transaction_id, charge_id)
) as opposite
order by opposite.of_id, opposite.kind, opposite.id
limit :'rows'::bigint;
