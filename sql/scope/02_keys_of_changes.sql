-- purpose: the keys of the changed facts.
-- grain:   one row per key and fact
insert into scope_new_key (key, kind, side, id)
select named.key, named.kind, 'order', orders.order_id
from scope_order
inner join orders on orders.order_id = scope_order.order_id
cross join lateral (
    values (orders.user_id, 'user'), (orders.app_account_token, 'token'), (orders.device_id, 'device')
) as named (key, kind)
where named.key is not null
union
select transactions.app_account_token, 'token', 'chain', transactions.original_transaction_id
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
where transactions.app_account_token is not null
union
select named.key, named.kind, 'evidence', uploads.sha256
from scope_evidence
inner join uploads on uploads.sha256 = scope_evidence.sha256
cross join lateral (
    values (uploads.user_id, 'user'), (uploads.device_id, 'device'), (uploads.order_id, 'order_id')
) as named (key, kind)
where named.key <> ''
union
select named.key, named.kind, named.side, named.id
from scope_key
inner join user_tokens on user_tokens.user_id = scope_key.key
cross join lateral (
    values
        (user_tokens.user_id, 'user', 'token', user_tokens.app_account_token),
        (user_tokens.app_account_token, 'token', 'user', user_tokens.user_id)
) as named (key, kind, side, id)
where scope_key.kind = 'user';
