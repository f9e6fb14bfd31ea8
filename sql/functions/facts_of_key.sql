-- purpose: what a user, a token or a device leads to: orders in any of their versions, evidence that was handed over, chains.
--          By the keys that match runs keep; what came in since the last one, and everything before one kept keys, is
--          looked for in the facts themselves. Whoever asks checks what an order says now.
create or replace function payrecon.facts_of_key(wanted text, as_kind text) returns table (side text, id text)
language sql stable parallel safe
-- Few keys of large tables, whoever asks.
set enable_nestloop = on
-- What is read in one go is read before workers have begun.
set max_parallel_workers_per_gather = 0
as $$
    with kept as (
        select coalesce(bool_or(match_state.has_keys), false) as has_keys
        from payrecon.match_state
        where match_state.name = 'match'
    )
    select component_keys.side, component_keys.id
    from payrecon.component_keys
    where component_keys.key = wanted
        and component_keys.kind = as_kind
    union
    select fact.side, fact.id
    from (
        select 'order', orders.order_id, orders.user_id, orders.app_account_token, orders.device_id
        from payrecon.changes
        cross join lateral unnest(changes.ids) as fresh (id)
        inner join payrecon.orders on orders.order_id = fresh.id
        where changes.kind = 'order'
        union all
        select 'evidence', uploads.sha256, uploads.user_id, null, uploads.device_id
        from payrecon.changes
        cross join lateral unnest(changes.ids) as fresh (id)
        inner join payrecon.uploads on uploads.sha256 = fresh.id
        where changes.kind = 'evidence'
        union all
        select 'chain', transactions.original_transaction_id, null, transactions.app_account_token, null
        from payrecon.changes
        cross join lateral unnest(changes.ids) as fresh (id)
        inner join payrecon.transactions on transactions.original_transaction_id = fresh.id
        where changes.kind = 'chain'
    ) as fact (side, id, user_id, app_account_token, device_id)
    where (as_kind = 'user' and fact.user_id = wanted)
        or (as_kind = 'token' and fact.app_account_token = wanted)
        or (as_kind = 'device' and fact.device_id = wanted)
    union
    select fact.side, fact.id
    from (
        select 'order', orders.order_id, orders.user_id, orders.app_account_token, orders.device_id
        from payrecon.orders
        where not (select kept.has_keys from kept)
        union all
        select
            'order', order_versions.order_id, order_versions.user_id, order_versions.app_account_token,
            order_versions.device_id
        from payrecon.order_versions
        where not (select kept.has_keys from kept)
        union all
        select 'evidence', uploads.sha256, uploads.user_id, null, uploads.device_id
        from payrecon.uploads
        where not (select kept.has_keys from kept)
        union all
        select 'chain', transactions.original_transaction_id, null, transactions.app_account_token, null
        from payrecon.transactions
        where not (select kept.has_keys from kept)
    ) as fact (side, id, user_id, app_account_token, device_id)
    where (as_kind = 'user' and fact.user_id = wanted)
        or (as_kind = 'token' and fact.app_account_token = wanted)
        or (as_kind = 'device' and fact.device_id = wanted)
$$;
