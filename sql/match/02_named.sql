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
from in_orders as orders
inner join in_match_keys as match_keys
    on match_keys.key = orders.transaction_id
    and match_keys.kind = 'transaction_id'
    and match_keys.side = 'charge'
inner join in_charges as charges
    on charges.original_transaction_id = match_keys.route
    and charges.charge_id = match_keys.id
    -- A period told without its line item may have been taken for another charge's until the line item was known.
    and orders.transaction_id = any(charges.transaction_ids)
where not exists (
        select 1
        from match_decision
        where match_decision.order_id = orders.order_id
            and match_decision.action = 'benign_duplicate'
    );
