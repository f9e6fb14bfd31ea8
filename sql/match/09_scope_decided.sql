-- purpose: hands what is plainly decided inside the scope to the ladder, as its holders.
-- grain:   one decided match
with handed as (
    delete from match_plain
    where match_plain.order_id in (select match_order.order_id from match_order)
        or match_plain.charge_id in (select match_charge.charge_id from match_charge)
    returning match_plain.*
)
insert into match_decided (order_id, charge_id, original_transaction_id, rung, confidence)
select order_id, charge_id, original_transaction_id, rung, 'exact'
from handed;
