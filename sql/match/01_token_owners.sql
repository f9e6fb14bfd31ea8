-- purpose: which user a token names: the users file says, else the orders that carry it, when they are one user's.
-- grain:   one row per token that names exactly one user
insert into match_token_owner (token, user_id)
with said_by_users as (
    select app_account_token as token, min(user_id) as user_id, count(distinct user_id) as user_count
    from users
    where app_account_token is not null
    group by app_account_token
),
said_by_orders as (
    select app_account_token as token, min(user_id) as user_id
    from orders
    where app_account_token is not null
    group by app_account_token
    having min(user_id) = max(user_id)
)
select token, user_id
from said_by_users
where user_count = 1
union all
select said_by_orders.token, said_by_orders.user_id
from said_by_orders
where not exists (select from said_by_users where said_by_users.token = said_by_orders.token);
