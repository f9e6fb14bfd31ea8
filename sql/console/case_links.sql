-- purpose: subjects linked to a case: they claim the same charge, share a token, or order on the same device, and have
--          a case. A token or device contributes its first orders and the count of the rest.
-- parameters: order_ids, charge_ids (text[]): of the case; case_id (text); orders (bigint): limit per key; rows
--             (bigint): limit of the result
-- grain:   one row per case and link; a key above the limit adds one row without a case
with own_order as materialized (
    select orders.device_id, orders.app_account_token
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join orders on orders.order_id = wanted.order_id
),
key as materialized (
    select distinct 'device' as kind, own_order.device_id as id from own_order where own_order.device_id <> ''
    union
    select distinct 'token', own_order.app_account_token from own_order where own_order.app_account_token <> ''
),
counted as materialized (
    select
        key.kind, key.id, phrase('case.subject', jsonb_build_object('kind', phrase('word.' || key.kind), 'id', key.id)) as link,
        fact.order_id, fact.order_count
    from key
    cross join lateral (
        select facts.id as order_id, count(*) over () as order_count
        from facts_of_key(key.id, key.kind) as facts
        where facts.side = 'order'
        order by facts.id
        limit :'orders'::bigint
    ) as fact
),
seen as (
    select distinct orders.user_id, counted.link
    from counted
    inner join orders on orders.order_id = counted.order_id
    where (counted.kind = 'device' and orders.device_id = counted.id)
        or (counted.kind = 'token' and orders.app_account_token = counted.id)
),
claimed as (
    select break_events.user_id, break_events.order_id, break_events.charge_id
    from break_events
    where break_events.charge_id = any(:'charge_ids'::text[])
    union
    select signal_events.user_id, signal_events.order_id, signal_events.charge_id
    from signal_events
    where signal_events.charge_id = any(:'charge_ids'::text[])
),
other as (
    select case_id_of('user', seen.user_id) as case_id, seen.link
    from seen
    union
    select case_id_of_break(claimed.user_id, claimed.order_id, claimed.charge_id, null), phrase('said.charge', 'id', claimed.charge_id)
    from claimed
),
linked as (
    select kept.case_id, kept.subject, kept.shown_status as status, kept.about, other.link
    from other
    inner join case_summaries as kept on kept.case_id = other.case_id
    where kept.case_id <> :'case_id'::text
    order by kept.case_id, other.link
    limit :'rows'::bigint
)
select linked.case_id, linked.subject, linked.status, linked.about, linked.link from linked
union all
select distinct null, phrase('said.more_orders', 'count', (counted.order_count - :'orders'::bigint)::text), null, null, counted.link
from counted
where counted.order_count > :'orders'::bigint
order by case_id nulls last, link;
