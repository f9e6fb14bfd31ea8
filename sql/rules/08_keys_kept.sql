-- purpose: who is reached by a user, a token or a device, by the indexes of the facts, and which tokens users share, as match runs
--          note it.
-- parameters: none
-- grain:   one row per key and fact, of transactions as often as they tell it, and per token
create temp view rule_key as
select user_id as key, 'user' as kind, 'order' as side, order_id as id
from orders
union all
select device_id, 'device', 'order', order_id
from orders
union all
select app_account_token, 'token', 'chain', original_transaction_id
from transactions;
create temp view rule_shared_token as
select app_account_token
from shared_tokens;
