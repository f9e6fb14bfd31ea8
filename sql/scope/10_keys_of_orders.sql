-- purpose: everything by which the orders of a round reach others, in all their versions.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_key (key, kind, round)
with version as (
    select orders.*
    from scope_order
    inner join orders on orders.order_id = scope_order.order_id
    where scope_order.round = :'round'::integer
),
earlier_version as (
    select order_versions.*
    from scope_order
    inner join order_versions on order_versions.order_id = scope_order.order_id
    where scope_order.round = :'round'::integer
),
known_key as (
    select named.key, named.kind
    from (
        select
            order_id, user_id, app_account_token, device_id, transaction_id, web_order_line_item_id,
            original_transaction_id, evidence_sha256
        from version
        union all
        select
            order_id, user_id, app_account_token, device_id, transaction_id, web_order_line_item_id,
            original_transaction_id, evidence_sha256
        from earlier_version
    ) as known
    cross join lateral (
        values
            (known.order_id, 'order_id'), (known.user_id, 'user'), (known.app_account_token, 'token'),
            (known.device_id, 'device'), (known.transaction_id, 'transaction_id'),
            (known.web_order_line_item_id, 'line_item'), (known.original_transaction_id, 'original'),
            (encode(known.evidence_sha256, 'hex'), 'evidence')
    ) as named (key, kind)
    where named.key is not null
)
select distinct key, kind, :'round'::integer
from known_key
-- Here and in what follows: neighbours are looked up together.
order by key, kind
on conflict do nothing;
