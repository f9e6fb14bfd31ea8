-- purpose: the first user ids, app account tokens or devices of orders and evidence that begin with a text. By the keys that
--          match runs keep; before one kept keys, the facts themselves are gone through.
-- parameters: prefix (text), as_kind (text): user, token or device, rows (bigint): most keys
-- grain:   one row per key, in order
create or replace function payrecon.keys_beginning(prefix text, as_kind text, rows bigint) returns setof text
language plpgsql stable parallel safe
-- What is looked up within a moment is found before workers have begun.
set max_parallel_workers_per_gather = 0
as $$
begin
    return query
    with kept as (
        select coalesce(bool_or(match_state.has_keys), false) as has_keys
        from payrecon.match_state
        where match_state.name = 'match'
    ),
    begun as (
        (
            select distinct component_keys.key
            from payrecon.component_keys
            where component_keys.key >= prefix
                and component_keys.key < prefix || chr(1114111)
                and component_keys.kind = as_kind
            order by component_keys.key
            limit rows
        )
        union all
        select fact.key
        from (
            select case as_kind
                when 'user' then orders.user_id
                when 'token' then orders.app_account_token
                when 'device' then orders.device_id
            end
            from payrecon.orders
            where not (select kept.has_keys from kept)
            union all
            select case as_kind when 'user' then uploads.user_id when 'device' then uploads.device_id end
            from payrecon.uploads
            where not (select kept.has_keys from kept)
            union all
            select case as_kind when 'token' then transactions.app_account_token end
            from payrecon.transactions
            where not (select kept.has_keys from kept)
        ) as fact (key)
        where fact.key >= prefix
            and fact.key < prefix || chr(1114111)
    )
    select distinct begun.key collate "C"
    from begun
    order by 1
    limit rows;
end
$$;
