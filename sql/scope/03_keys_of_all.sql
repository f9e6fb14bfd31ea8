-- purpose: the keys of all facts, where nobody wrote them yet.
-- grain:   one row per key and fact
insert into scope_new_key (key, kind, side, id)
select named.key, named.kind, 'order', orders.order_id
from orders
cross join lateral (
    values (orders.user_id, 'user'), (orders.app_account_token, 'token'), (orders.device_id, 'device')
) as named (key, kind)
where named.key is not null
union
select named.key, named.kind, 'order', versions.order_id
from order_versions as versions
cross join lateral (
    values (versions.user_id, 'user'), (versions.app_account_token, 'token'), (versions.device_id, 'device')
) as named (key, kind)
where named.key is not null
union
select app_account_token, 'token', 'chain', original_transaction_id
from transactions
where app_account_token is not null
union
select named.key, named.kind, 'evidence', uploads.sha256
from uploads
cross join lateral (
    values (uploads.user_id, 'user'), (uploads.device_id, 'device'), (uploads.order_id, 'order_id')
) as named (key, kind)
where named.key <> ''
union
select named.key, named.kind, named.side, named.id
from user_tokens
cross join lateral (
    values
        (user_tokens.user_id, 'user', 'token', user_tokens.app_account_token),
        (user_tokens.app_account_token, 'token', 'user', user_tokens.user_id)
) as named (key, kind, side, id);
