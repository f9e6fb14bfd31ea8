-- purpose: what the ladder has to look at: orders and charges that are still open, and every charge that could matter to
--          an open order: those it names, and the subscriptions of its user.
-- grain:   one row per order, and per charge
insert into match_scope_order (order_id)
select match_open_order.order_id
from match_open_order
where not exists (select 1 from match_plain where match_plain.order_id = match_open_order.order_id);
insert into match_scope_charge (charge_id, original_transaction_id)
with open_order as (
    select orders.*
    from in_orders as orders
    inner join match_scope_order on match_scope_order.order_id = orders.order_id
),
open_user as (
    select distinct user_id from open_order where status <> 'cancelled'
),
reached as (
    select match_open_charge.charge_id, match_open_charge.original_transaction_id
    from match_open_charge
    where not exists (select 1 from match_plain where match_plain.charge_id = match_open_charge.charge_id)
    union all
    select match_named.charge_id, match_named.original_transaction_id
    from match_named
    inner join open_order on open_order.order_id = match_named.order_id
    union all
    select charges.charge_id, charges.original_transaction_id
    from open_order
    inner join in_charges as charges on charges.web_order_line_item_id = open_order.web_order_line_item_id
    union all
    select charges.charge_id, charges.original_transaction_id
    from open_order
    inner join in_charges as charges on charges.original_transaction_id = open_order.original_transaction_id
    where charges.type <> 'auto_renewable'
    union all
    select match_evidence.charge_id, match_evidence.original_transaction_id
    from open_order
    inner join match_evidence on match_evidence.order_id = open_order.order_id
    union all
    select charges.charge_id, charges.original_transaction_id
    from in_charges as charges
    inner join match_token_owner on match_token_owner.token = charges.app_account_token
    inner join open_user on open_user.user_id = match_token_owner.user_id
    where charges.type = 'auto_renewable'
    union all
    select charges.charge_id, charges.original_transaction_id
    from open_user
    inner join in_orders as orders on orders.user_id = open_user.user_id
    inner join match_plain on match_plain.order_id = orders.order_id
    inner join in_charges as charges
        on charges.original_transaction_id = match_plain.original_transaction_id
        and charges.charge_id = match_plain.charge_id
    where charges.type = 'auto_renewable'
)
select charge_id, original_transaction_id
from reached
union
select charges.charge_id, charges.original_transaction_id
from in_charges as charges
where charges.type = 'auto_renewable'
    and charges.original_transaction_id in (select reached.original_transaction_id from reached);
