-- purpose: whatever the keys of a round lead to, each looked up once, in all versions of orders. A device that an order names matters
--          only for what was handed over on it. Facts are looked up as they are, whichever clock the transaction looks back to: what
--          was not known then only widens the scope.
-- parameters: round (integer)
-- grain:   one row per key and fact
insert into scope_fact (side, id, round)
with wanted as materialized (
    select scope_key.key, scope_key.kind
    from scope_key
    where scope_key.round = :'round'::integer
),
wanted_evidence as materialized (
    select decode(scope_key.key, 'hex') as sha256
    from scope_key
    where scope_key.round = :'round'::integer
        and scope_key.kind = 'evidence'
    union all
    select scope_told.sha256
    from scope_told
    where scope_told.round = :'round'::integer
)
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.user_id = wanted.key
where wanted.kind = 'user'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.user_id = wanted.key
where wanted.kind = 'user'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.device_id = wanted.key
where wanted.kind = 'seen_device'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.device_id = wanted.key
where wanted.kind = 'seen_device'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.transaction_id = wanted.key
where wanted.kind = 'transaction_id'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.transaction_id = wanted.key
where wanted.kind = 'transaction_id'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.web_order_line_item_id = wanted.key
where wanted.kind = 'line_item'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.web_order_line_item_id = wanted.key
where wanted.kind = 'line_item'
union all
select 'order', orders.order_id, :'round'::integer
from wanted
inner join payrecon.orders on orders.original_transaction_id = wanted.key
where wanted.kind = 'original'
union all
select 'order', versions.order_id, :'round'::integer
from wanted
inner join payrecon.order_versions as versions on versions.original_transaction_id = wanted.key
where wanted.kind = 'original'
union all
select 'order', orders.order_id, :'round'::integer
from wanted_evidence
inner join payrecon.orders on orders.evidence_sha256 = wanted_evidence.sha256
union all
select 'order', versions.order_id, :'round'::integer
from wanted_evidence
inner join payrecon.order_versions as versions on versions.evidence_sha256 = wanted_evidence.sha256
union all
select 'chain', transactions.original_transaction_id, :'round'::integer
from wanted
inner join payrecon.transactions on transactions.app_account_token = wanted.key
where wanted.kind = 'token'
union all
select 'chain', transactions.original_transaction_id, :'round'::integer
from wanted
inner join payrecon.transactions on transactions.transaction_id = wanted.key
where wanted.kind = 'transaction_id'
union all
select 'chain', charges.original_transaction_id, :'round'::integer
from wanted
inner join payrecon.charges on charges.web_order_line_item_id = wanted.key
where wanted.kind = 'line_item'
union all
select 'evidence', encode(uploads.sha256, 'hex'), :'round'::integer
from wanted
inner join payrecon.uploads on uploads.user_id = wanted.key and uploads.user_id <> ''
where wanted.kind = 'user'
union all
select 'evidence', encode(uploads.sha256, 'hex'), :'round'::integer
from wanted
inner join payrecon.uploads on uploads.device_id = wanted.key and uploads.device_id <> ''
where wanted.kind in ('device', 'seen_device')
union all
select 'evidence', encode(uploads.sha256, 'hex'), :'round'::integer
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
