-- purpose: the plain bulk of rung M2: a token that one order and one fitting charge carry, and no user; neither has anything
--          to do with a named transaction.
-- parameters: skew, window (intervals), as in M2
-- grain:   one decided match per pair
insert into match_plain (order_id, charge_id, original_transaction_id, rung)
with fitting as (
    select
        match_token_order.token,
        min(match_token_order.order_id) as order_id,
        min(charges.charge_id) as charge_id,
        min(charges.original_transaction_id) as original_transaction_id
    from match_token_order
    inner join charges
        on charges.app_account_token = match_token_order.token
        and charges.product_id = match_token_order.product_id
        and charges.bundle_id = match_token_order.bundle_id
        and charges.environment = match_token_order.environment
        and match_token_order.created_at <= charges.purchased_at + :'skew'::interval
        and (not charges.is_renewal or match_token_order.created_at >= charges.purchased_at - :'window'::interval)
    where match_token_order.order_count = 1
        and not match_token_order.is_named
        and not exists (select from users where users.app_account_token = match_token_order.token)
    group by match_token_order.token
    having count(*) = 1
)
select order_id, charge_id, original_transaction_id, 'M2'
from fitting
where not exists (select from match_named where match_named.charge_id = fitting.charge_id);
