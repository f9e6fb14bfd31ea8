-- purpose: rung M6: pairs that are the only candidate in both directions.
-- grain:   one decided match per pair
insert into match_decided (order_id, charge_id, original_transaction_id, rung)
with counted as (
    select
        order_id,
        charge_id,
        original_transaction_id,
        count(*) over (partition by charge_id) as order_count,
        count(*) over (partition by order_id) as charge_count
    from match_heuristic
)
select order_id, charge_id, original_transaction_id, 'M6'
from counted
where order_count = 1
    and charge_count = 1;
