-- purpose: who is reached by a user, a token or a device, and tokens that users share, of all facts.
-- grain:   one row per key and fact, and per token
create temp view rule_key as
select user_id as key, 'user' as kind, 'order' as side, order_id as id
from in_orders
union all
select device_id, 'device', 'order', order_id
from in_orders
where device_id is not null
union all
select distinct app_account_token, 'token', 'chain', original_transaction_id
from in_charges
where app_account_token is not null;
-- Out of the index alone.
create temp view rule_shared_token as
select app_account_token
from in_user_tokens
group by app_account_token
having count(*) > 1;
