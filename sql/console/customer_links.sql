-- purpose: devices and tokens of a customer, with the other users that ordered with them, most shared first.
-- parameters: user_id (text), order_ids (text[]), orders (bigint): orders read per device or token; rows (bigint)
-- grain:   one row per device or token
with placed as materialized (
    select orders.* from unnest(:'order_ids'::text[]) as wanted (order_id) inner join orders on orders.order_id = wanted.order_id
),
key as materialized (
    select placed.device_id as id, 'device' as kind from placed where placed.device_id <> ''
    union
    select uploads.device_id, 'device' from uploads where uploads.user_id = :'user_id'::text and uploads.device_id <> ''
    union
    select user_tokens.app_account_token, 'token' from user_tokens where user_tokens.user_id = :'user_id'::text
    limit :'rows'::bigint
),
fact as materialized (
    select key.kind, key.id, found.order_id
    from key
    cross join lateral (
        select facts.id as order_id from facts_of_key(key.id, key.kind) as facts where facts.side = 'order' limit :'orders'::bigint
    ) as found
),
other as (
    select fact.kind, fact.id, orders.user_id, orders.created_at
    from fact
    inner join orders on orders.order_id = fact.order_id
    union all
    select 'token', key.id, user_tokens.user_id, null
    from key
    inner join user_tokens on user_tokens.app_account_token = key.id
    where key.kind = 'token'
)
select
    key.kind, key.id, count(other.created_at) as orders, rfc3339(max(other.created_at)) as newest,
    string_agg(distinct other.user_id, e'\n') filter (where other.user_id <> :'user_id'::text) as linked_users
from key
left join other on other.kind = key.kind and other.id = key.id
group by key.kind, key.id
order by count(distinct other.user_id) desc, key.kind, key.id
limit :'rows'::bigint;
