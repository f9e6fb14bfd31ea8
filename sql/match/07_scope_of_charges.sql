-- purpose: adds the decided orders that bear on a charge of the scope: they hold it, or hold another and speak for it by
--          line item, original id, evidence, upload, or the token they carry.
-- grain:   one row per order
insert into match_scope_order (order_id)
select match_plain.order_id
from match_plain
inner join match_scope_charge on match_scope_charge.charge_id = match_plain.charge_id
union
select orders.order_id
from in_charges as charges
inner join match_scope_charge
    on match_scope_charge.original_transaction_id = charges.original_transaction_id
    and match_scope_charge.charge_id = charges.charge_id
inner join in_orders as orders on orders.web_order_line_item_id = charges.web_order_line_item_id
inner join match_plain on match_plain.order_id = orders.order_id
union
select orders.order_id
from in_charges as charges
inner join match_scope_charge
    on match_scope_charge.original_transaction_id = charges.original_transaction_id
    and match_scope_charge.charge_id = charges.charge_id
inner join in_orders as orders on orders.original_transaction_id = charges.original_transaction_id
inner join match_plain on match_plain.order_id = orders.order_id
where charges.type <> 'auto_renewable'
union
select match_plain.order_id
from match_evidence
inner join match_scope_charge on match_scope_charge.charge_id = match_evidence.charge_id
inner join match_plain on match_plain.order_id = match_evidence.order_id
union
select orders.order_id
from in_charges as charges
inner join match_scope_charge
    on match_scope_charge.original_transaction_id = charges.original_transaction_id
    and match_scope_charge.charge_id = charges.charge_id
inner join in_orders as orders on orders.app_account_token = charges.app_account_token
inner join match_plain on match_plain.order_id = orders.order_id;
