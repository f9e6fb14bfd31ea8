-- purpose: creates the new matches; two primary keys (matches by charge, matched orders by order) reject duplicates.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per match
with created_order as (
    insert into payrecon.matched_orders (order_id, charge_id, original_transaction_id)
    select order_id, charge_id, original_transaction_id
    from match_change
    where change = 'begun'
    order by order_id
)
insert into payrecon.matches (original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from)
select original_transaction_id, charge_id, order_id, rung, :'run_id'::text, confidence, :'as_of'::timestamptz
from match_change
where change = 'begun'
order by original_transaction_id, charge_id;
