-- purpose: the orders and charges that no single claim or token decides; orders that two people called benign duplicates
--          are out.
-- grain:   one row per order, and per charge
insert into match_open_order (order_id, product_id, bundle_id, environment, user_id, is_naming, created_at)
select
    orders.order_id,
    orders.product_id,
    orders.bundle_id,
    orders.environment,
    orders.user_id,
    coalesce(orders.transaction_id, orders.web_order_line_item_id, orders.original_transaction_id) is not null
    or orders.evidence_sha256 is not null
    or exists (select 1 from match_decision where match_decision.order_id = orders.order_id)
    or exists (select 1 from match_evidence where match_evidence.order_id = orders.order_id),
    orders.created_at
from in_orders as orders
where not exists (select 1 from match_plain where match_plain.order_id = orders.order_id)
    and not exists (
        select 1
        from match_decision
        where match_decision.order_id = orders.order_id
            and match_decision.action = 'benign_duplicate'
    );
insert into match_open_charge (
    charge_id, original_transaction_id, token, product_id, bundle_id, environment, type, ownership, purchased_at
)
select
    charges.charge_id,
    charges.original_transaction_id,
    charges.app_account_token,
    charges.product_id,
    charges.bundle_id,
    charges.environment,
    charges.type,
    charges.ownership,
    charges.purchased_at
from in_charges as charges
where not exists (select 1 from match_plain where match_plain.charge_id = charges.charge_id);
