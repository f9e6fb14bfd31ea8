-- purpose: writes the links of the changed facts, and the tokens that changed users share.
-- grain:   one row per link, and per token
insert into reach_keys (key, kind, side, id)
select link.key, link.kind, 'order', orders.order_id
from scope_order
inner join orders on orders.order_id = scope_order.order_id
cross join lateral (
    values (orders.user_id, 'user'), (orders.app_account_token, 'token'), (orders.device_id, 'device')
) as link (key, kind)
where link.key is not null
union all
select transactions.app_account_token, 'token', 'chain', transactions.original_transaction_id
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
where transactions.app_account_token is not null
union all
select link.key, link.kind, 'evidence', sightings.sha256
from scope_evidence
inner join sightings on sightings.sha256 = scope_evidence.sha256
cross join lateral (
    values (sightings.user_id, 'user'), (sightings.device_id, 'device'), (sightings.order_id, 'order_id')
) as link (key, kind)
where link.key <> ''
union all
select link.key, link.kind, link.side, link.id
from scope_hub
inner join user_tokens on user_tokens.user_id = scope_hub.key
cross join lateral (
    values
        (user_tokens.user_id, 'user', 'token', user_tokens.app_account_token),
        (user_tokens.app_account_token, 'token', 'user', user_tokens.user_id)
) as link (key, kind, side, id)
where scope_hub.kind = 'user'
order by 1, 2, 3, 4
on conflict do nothing;
insert into shared_tokens (app_account_token)
select distinct user_tokens.app_account_token
from scope_hub
inner join user_tokens on user_tokens.user_id = scope_hub.key
where scope_hub.kind = 'user'
    and exists (
        select 1
        from user_tokens as other
        where other.app_account_token = user_tokens.app_account_token
            and other.user_id <> user_tokens.user_id
    )
order by user_tokens.app_account_token
on conflict do nothing;
