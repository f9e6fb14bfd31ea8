-- purpose: whatever the keys of a round lead to: user, token, device and order id, each looked up once, in all versions of orders. A
--          device that an order names matters only for what was handed over on it. Facts are looked up as they are, whichever clock
--          the transaction looks back to: what was not known then only widens the scope.
-- parameters: round (integer)
-- grain:   one row per key and fact
insert into scope_fact (side, id, round)
with wanted as materialized (
    select scope_key.key, scope_key.kind
    from scope_key
    where scope_key.round = :'round'::integer
        and scope_key.kind in ('user', 'token', 'device', 'seen_device', 'order_id')
)
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.user_id = wanted.key
where wanted.kind = 'user'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.device_id = wanted.key
where wanted.kind = 'seen_device'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.user_id = wanted.key
where wanted.kind = 'user'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.device_id = wanted.key
where wanted.kind = 'seen_device'
union all
select 'chain', transactions.original_transaction_id, :'round'::integer
from wanted
inner join payrecon.transactions on transactions.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'evidence', uploads.sha256, :'round'::integer
from wanted
inner join payrecon.uploads on uploads.user_id = wanted.key and uploads.user_id <> ''
where wanted.kind = 'user'
union all
select 'evidence', uploads.sha256, :'round'::integer
from wanted
inner join payrecon.uploads on uploads.device_id = wanted.key and uploads.device_id <> ''
where wanted.kind in ('device', 'seen_device')
union all
select 'evidence', uploads.sha256, :'round'::integer
from wanted
inner join payrecon.uploads on uploads.order_id = wanted.key and uploads.order_id <> ''
where wanted.kind = 'order_id'
union all
select 'token', user_tokens.app_account_token, :'round'::integer
from wanted
inner join payrecon.user_tokens on user_tokens.user_id = wanted.key
where wanted.kind = 'user'
union all
select 'user', user_tokens.user_id, :'round'::integer
from wanted
inner join payrecon.user_tokens on user_tokens.app_account_token = wanted.key
where wanted.kind = 'token';
