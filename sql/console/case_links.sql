-- purpose: whom a case is linked to: other subjects that claim the same charge, hold the same token or order on the same
--          device, as far as they have a case.
-- parameters: order_ids, charge_ids (text[]): of the case; case_id (text), rows (bigint)
-- grain:   one row per case and what links it
with own_order as materialized (
    select orders.device_id, orders.app_account_token, orders.user_id
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join orders on orders.order_id = wanted.order_id
),
device as materialized (
    select distinct own_order.device_id from own_order where own_order.device_id is not null
),
token as materialized (
    select distinct own_order.app_account_token from own_order where own_order.app_account_token is not null
),
seen as (
    select orders.user_id, 'device ' || device.device_id as link
    from device
    inner join orders on orders.device_id = device.device_id
    union
    select orders.user_id, 'token ' || token.app_account_token
    from token
    inner join orders on orders.app_account_token = token.app_account_token
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
    select case_id_of_break(claimed.user_id, claimed.order_id, claimed.charge_id, null), 'charge ' || claimed.charge_id
    from claimed
)
select kept.case_id, kept.subject_kind || ' ' || kept.subject_id as subject, kept.status,
    array_to_string(kept.names, ' ') as about, other.link
from other
inner join console_cases as kept on kept.case_id = other.case_id
where kept.case_id <> :'case_id'::text
order by kept.case_id, other.link
limit :'rows'::bigint;
