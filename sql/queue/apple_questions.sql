-- purpose: transactions to request from Apple before a punishing decision on some cases: one per charge, and those that
--          orders name without evidence.
-- parameters: case_ids, break_ids (text[]): none selects the open items of the cases, or of order and charge; item_ids
--             (text[]): the breaks and signals of the cases, null if unknown; order_id, charge_id (text), as_of
--             (timestamptz), row_max (bigint)
-- grain:   one row per transaction: its app, its id, and whether it has a charge
with item as materialized (
    select items.order_id, items.charge_id
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    where items.case_id = any(:'case_ids'::text[])
        and items.is_open
        and (cardinality(:'break_ids'::text[]) = 0 or items.item_id = any(:'break_ids'::text[]))
        and (:'order_id'::text is null or items.order_id = :'order_id'::text)
        and (:'charge_id'::text is null or items.charge_id = :'charge_id'::text)
),
concerned_order as materialized (
    select item.order_id from item where item.order_id is not null
    union
    select :'order_id'::text where :'order_id'::text is not null
),
named as materialized (
    select orders.bundle_id, orders.transaction_id
    from concerned_order
    inner join orders on orders.order_id = concerned_order.order_id
    where orders.transaction_id is not null
),
named_transactions as materialized (
    select distinct
        transactions.transaction_id, transactions.original_transaction_id, transactions.bundle_id, transactions.environment
    from named
    inner join transactions on transactions.transaction_id = named.transaction_id
),
named_charge as materialized (
    select named_transactions.transaction_id, charges.charge_id
    from named_transactions
    inner join charges using (original_transaction_id, bundle_id, environment)
    where named_transactions.transaction_id = any(charges.transaction_ids)
),
concerned_charge as materialized (
    select item.charge_id from item where item.charge_id is not null
    union
    select :'charge_id'::text where :'charge_id'::text is not null
    union
    select matched_orders.charge_id from concerned_order inner join matched_orders on matched_orders.order_id = concerned_order.order_id
    union
    select named_charge.charge_id from named_charge
),
wanted as (
    select charges.bundle_id, charges.transaction_ids[cardinality(charges.transaction_ids)] as transaction_id, true as is_known
    from concerned_charge
    inner join charges on charges.charge_id = concerned_charge.charge_id
    union
    select named.bundle_id, named.transaction_id, false
    from named
    where named.transaction_id not in (select named_charge.transaction_id from named_charge)
)
select wanted.bundle_id, wanted.transaction_id, wanted.is_known
from wanted
order by wanted.transaction_id collate "C", wanted.bundle_id collate "C"
limit :'row_max'::bigint;
