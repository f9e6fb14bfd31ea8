-- purpose: users connected to a key: any version of their orders carries it, they hold it, or two reviewers decided so. A
--          component is labelled by the number of a user id. Devices count only if they had an upload. Order ids count only
--          if they had an upload, another user before, or a decision.
-- grain:   cut_held one row per key and user; cut_key one row per key, with the lowest and the highest label of its users
analyze cut_evidence;
create temp table cut_held (key bigint not null, label bigint not null) on commit drop;
insert into cut_held (key, label)
with known as (
    select
        orders.user_id, orders.app_account_token, orders.transaction_id, orders.web_order_line_item_id,
        orders.original_transaction_id, orders.evidence_sha256, null as order_id
    from orders
    union all
    select
        order_versions.user_id, order_versions.app_account_token, order_versions.transaction_id,
        order_versions.web_order_line_item_id, order_versions.original_transaction_id, order_versions.evidence_sha256,
        order_versions.order_id
    from order_versions
)
select key_hash(named.kind, named.key), key_hash('user', known.user_id)
from known
cross join lateral (
    values
        ('token', known.app_account_token), ('transaction_id', known.transaction_id),
        ('line_item', known.web_order_line_item_id), ('original', known.original_transaction_id),
        ('evidence', encode(known.evidence_sha256, 'hex')), ('order_id', known.order_id)
) as named (kind, key)
where named.key is not null;
insert into cut_held (key, label)
with seen as materialized (
    select distinct uploads.device_id
    from uploads
    where uploads.device_id <> ''
)
select key_hash('device', orders.device_id), key_hash('user', orders.user_id)
from seen
inner join orders on orders.device_id = seen.device_id
union all
select key_hash('device', order_versions.device_id), key_hash('user', order_versions.user_id)
from seen
inner join order_versions on order_versions.device_id = seen.device_id;
insert into cut_held (key, label)
with named as materialized (
    select uploads.order_id
    from uploads
    where uploads.order_id <> ''
    union
    select order_versions.order_id
    from order_versions
    union
    select decided_pairs.order_id
    from decided_pairs
)
select key_hash('order_id', orders.order_id), key_hash('user', orders.user_id)
from named
inner join orders on orders.order_id = named.order_id;
insert into cut_held (key, label)
select key_hash('token', user_tokens.app_account_token), key_hash('user', user_tokens.user_id)
from user_tokens;
insert into cut_held (key, label)
select distinct key_hash('user', uploads.user_id), key_hash('user', uploads.user_id)
from uploads
where uploads.user_id <> '';
create temp table cut_key on commit drop as
select cut_held.key, min(cut_held.label) as label, max(cut_held.label) as last
from cut_held
group by cut_held.key;
analyze cut_held, cut_key;
