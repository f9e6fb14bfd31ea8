-- purpose: which user a token names: the users file says, else the orders that carry it, when they are one user's.
-- grain:   match_token_order one row per token that orders carry, with its order when it is only one;
--          match_token_owner one row per token that names exactly one user
insert into match_token_order (
    token, order_count, first_user, last_user, order_id, product_id, bundle_id, environment, created_at, is_named
)
select
    app_account_token, count(*), min(user_id), max(user_id), min(order_id), min(product_id), min(bundle_id),
    min(environment), min(created_at), bool_or(transaction_id is not null)
from orders
where app_account_token is not null
group by app_account_token;
insert into match_token_owner (token, user_id)
select app_account_token, min(user_id)
from users
where app_account_token is not null
group by app_account_token
having min(user_id) = max(user_id)
union all
select match_token_order.token, match_token_order.first_user
from match_token_order
where match_token_order.first_user = match_token_order.last_user
    and not exists (select from users where users.app_account_token = match_token_order.token);
