-- purpose: hands what is plainly decided inside the scope to the ladder, as its holders; and rung M0: what two people decided
--          belongs together, of one app and environment, whatever speaks against it.
-- grain:   one decided match
with handed as (
    delete from match_plain
    where match_plain.order_id in (select match_order.order_id from match_order)
        or match_plain.charge_id in (select match_charge.charge_id from match_charge)
    returning match_plain.*
)
insert into match_decided (order_id, charge_id, original_transaction_id, rung)
select order_id, charge_id, original_transaction_id, rung
from handed;
insert into match_decided (order_id, charge_id, original_transaction_id, rung)
select match_order.order_id, match_charge.charge_id, match_charge.original_transaction_id, 'M0'
from match_decision
inner join match_order on match_order.order_id = match_decision.order_id
inner join match_charge on match_charge.charge_id = match_decision.charge_id
where match_decision.action = 'forced_match'
    and match_charge.bundle_id = match_order.bundle_id
    and match_charge.environment = match_order.environment;
