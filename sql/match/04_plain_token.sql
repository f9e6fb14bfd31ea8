-- purpose: the plain bulk of rung M2: a token that one order and one fitting charge carry, and no user; neither has anything
--          to do with a named transaction or a decision, and nothing speaks for a second user on its subscription.
-- parameters: skew, window (intervals), as in M2
-- grain:   one decided match per pair
insert into match_plain (order_id, charge_id, original_transaction_id, rung)
with fitting as (
    select
        met.token,
        min(met.order_id) as order_id,
        min(met.charge_id) as charge_id,
        min(met.original_transaction_id) as original_transaction_id,
        min(met.environment) as environment,
        min(met.bundle_id) as bundle_id,
        min(met.type) as type
    from (
        select
            match_token_order.token,
            match_token_order.order_id,
            match_token_order.created_at,
            charges.charge_id,
            charges.original_transaction_id,
            charges.environment,
            charges.bundle_id,
            charges.type,
            charges.is_renewal,
            charges.purchased_at,
            charges.product_id = match_token_order.product_id
                and charges.bundle_id = match_token_order.bundle_id
                and charges.environment = match_token_order.environment as is_same
        from match_token_order
        inner join in_charges as charges on charges.app_account_token = match_token_order.token
        where match_token_order.is_one_orders
            and not match_token_order.is_named
            and not exists (select 1 from match_decision where match_decision.order_id = match_token_order.order_id)
        -- Only the token is worth joining by: a product has thousands of orders and charges.
        offset 0
    ) as met
    where met.is_same
        and met.created_at <= met.purchased_at + :'skew'::interval
        and (not met.is_renewal or met.created_at >= met.purchased_at - :'window'::interval)
    group by met.token
    having count(*) = 1
)
select order_id, charge_id, original_transaction_id, 'M2'
from fitting
where not exists (select 1 from match_named where match_named.charge_id = fitting.charge_id)
    and not exists (select 1 from match_decision where match_decision.charge_id = fitting.charge_id)
    and not exists (
        select 1
        from match_contested_chain
        where fitting.type = 'auto_renewable'
            and match_contested_chain.original_transaction_id = fitting.original_transaction_id
            and match_contested_chain.bundle_id = fitting.bundle_id
            and match_contested_chain.environment = fitting.environment
    );
