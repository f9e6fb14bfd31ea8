-- purpose: every order's transaction id beside the charge that has it: what M1 claims, before it is judged.
-- parameters: late (interval): a purchase older than this before its order is no plain match
-- grain:   one row per order and charge
-- note:    an order that two people called a benign duplicate claims nothing.
create temp table match_named on commit drop as
select
    orders.order_id,
    orders.user_id,
    charges.charge_id,
    charges.original_transaction_id,
    charges.environment,
    charges.bundle_id,
    charges.type,
    charges.app_account_token as token,
    charges.bundle_id = orders.bundle_id
        and charges.environment = orders.environment
        and charges.product_id = orders.product_id
        and charges.purchased_at >= orders.created_at - :'late'::interval as is_fitting
from in_charges as charges
cross join lateral unnest(charges.transaction_ids) as alias (transaction_id)
inner join in_orders as orders on orders.transaction_id = alias.transaction_id
where not exists (
        select 1
        from match_decision
        where match_decision.order_id = orders.order_id
            and match_decision.action = 'benign_duplicate'
    );
