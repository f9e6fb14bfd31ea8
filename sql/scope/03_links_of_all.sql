-- purpose: writes the links of all facts, and the tokens that users share, when a run first needs them.
-- grain:   one row per link, and per token
insert into reach_keys (key, kind, side, id)
select link.key, link.kind, 'order', versions.order_id
from (
    select order_id, user_id, app_account_token, device_id from orders
    union all
    select order_id, user_id, app_account_token, device_id from order_versions
) as versions
cross join lateral (
    values (versions.user_id, 'user'), (versions.app_account_token, 'token'), (versions.device_id, 'device')
) as link (key, kind)
where link.key is not null
union
select app_account_token, 'token', 'chain', original_transaction_id
from transactions
where app_account_token is not null
union
select link.key, link.kind, 'evidence', sightings.sha256
from sightings
cross join lateral (
    values (sightings.user_id, 'user'), (sightings.device_id, 'device'), (sightings.order_id, 'order_id')
) as link (key, kind)
where link.key <> ''
union
select link.key, link.kind, link.side, link.id
from user_tokens
cross join lateral (
    values
        (user_tokens.user_id, 'user', 'token', user_tokens.app_account_token),
        (user_tokens.app_account_token, 'token', 'user', user_tokens.user_id)
) as link (key, kind, side, id)
order by 1, 2, 3, 4
on conflict do nothing;
insert into shared_tokens (app_account_token)
select app_account_token
from user_tokens
group by app_account_token
having count(*) > 1
order by app_account_token
on conflict do nothing;
