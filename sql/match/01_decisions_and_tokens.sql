-- purpose: what two people decided, and the tokens that orders carry.
-- grain:   match_decision one row per pair; match_token_order one row per token that orders carry, with its order when it is
--          only one
insert into match_decision (order_id, charge_id, original_transaction_id, action)
select order_id, charge_id, original_transaction_id, action
from decided_pairs;
insert into match_token_order (
    token, order_count, first_user, last_user, order_id, product_id, bundle_id, environment, created_at, is_named, is_one_orders
)
select
    app_account_token, count(*), min(user_id), max(user_id), min(order_id), min(product_id), min(bundle_id),
    min(environment), min(created_at), bool_or(transaction_id is not null),
    -- A token that a user has ever had speaks for the user, however few orders carry it.
    count(*) = 1 and not exists (
        select 1 from in_user_tokens as user_tokens where user_tokens.app_account_token = orders.app_account_token
    )
from in_orders as orders
where app_account_token is not null
group by app_account_token;
