-- purpose: UNRECOGNIZED_VALUE: a value signed by Apple that this version stores and reports but does not use. Also a value
--          that Apple left out, and an app of orders that the settings do not name.
-- parameters: apps (text[]): bundle ids of the settings; grace (interval)
-- grain:   one finding per field and value
insert into finding (class, subject_id, bundle_id, environment, transaction_id, breaks_at, detail)
with item as materialized (
    select
        unrecognized_values.field, unrecognized_values.value, evidence.sha256, nullif(evidence.bundle_id, '') as bundle_id,
        nullif(evidence.environment, '') as environment, evidence.transaction_id,
        coalesce(evidence.signed_at, evidence.received_at) as at
    from unrecognized_values
    inner join in_judged_evidence as evidence on evidence.sha256 = unrecognized_values.sha256
    where evidence.verdict in ('genuine', 'pending')
        or (evidence.verdict = 'foreign' and evidence.reason ->> 'key' = 'word.environment')
),
-- The finding names the app, environment or transaction if all its items share it.
counted as (
    select
        item.field, item.value, count(*) as item_count, min(item.at) as first_at, max(item.at) as last_at,
        case when count(distinct coalesce(item.bundle_id, '')) = 1 then min(item.bundle_id) end as bundle_id,
        case when count(distinct coalesce(item.environment, '')) = 1 then min(item.environment) end as environment,
        case when count(distinct coalesce(item.transaction_id, '')) = 1 then min(item.transaction_id) end as transaction_id,
        to_jsonb((
            array_agg(
                coalesce(phrase('said.transaction', 'id', item.transaction_id), phrase('said.evidence', 'id', encode(item.sha256, 'hex')))
                order by item.at, item.sha256
            )
        )[:3]) as samples
    from item
    group by item.field, item.value
),
unnamed_app as materialized (
    select distinct input_hours.bundle_id
    from input_hours
    where input_hours.kind = 'orders'
        and input_hours.bundle_id <> all(:'apps'::text[])
),
unnamed_order as (
    select
        orders.bundle_id, orders.order_id,
        greatest(orders.created_at, least(orders.paid_at, orders.delivered_at)) as booked_at
    from unnamed_app
    inner join in_orders as orders on orders.bundle_id = unnamed_app.bundle_id
    where orders.environment = 'Production'
        and orders.status in ('paid', 'delivered')
)
select
    'UNRECOGNIZED_VALUE', 'value:' || counted.field || '|' || counted.value, counted.bundle_id, counted.environment,
    counted.transaction_id, counted.first_at,
    phrase(
        case when counted.value = 'missing' then 'detail.missing_value' else 'detail.unknown_value' end,
        jsonb_build_object(
            'field', counted.field, 'value', counted.value, 'count', counted.item_count, 'first', rfc3339(counted.first_at),
            'last', rfc3339(counted.last_at), 'list', counted.samples
        )
    )
from counted
union all
select
    'UNRECOGNIZED_VALUE', 'value:orders.bundle_id|' || unnamed_order.bundle_id, unnamed_order.bundle_id, 'Production', null,
    min(unnamed_order.booked_at) + :'grace'::interval,
    phrase('detail.unnamed_app', jsonb_build_object(
        'app', unnamed_order.bundle_id, 'count', count(*), 'first', rfc3339(min(unnamed_order.booked_at)),
        'last', rfc3339(max(unnamed_order.booked_at)),
        'list', to_jsonb((
            array_agg(phrase('said.order', 'id', unnamed_order.order_id) order by unnamed_order.booked_at, unnamed_order.order_id)
        )[:3])
    ))
from unnamed_order
group by unnamed_order.bundle_id;
