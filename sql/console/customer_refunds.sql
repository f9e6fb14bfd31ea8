-- purpose: refunds of a customer: requests to Apple, Apple's answers and our own refunds, newest first.
-- parameters: order_ids, charge_ids (text[]), rows (bigint)
-- grain:   one row per event
with charged as materialized (select charges.* from charges where charges.charge_id = any(:'charge_ids'::text[])),
chain as materialized (
    select distinct charged.original_transaction_id, charged.bundle_id, charged.environment from charged
),
event as (
    select distinct notifications.signed_at as at,
        phrase(case notifications.type
            when 'CONSUMPTION_REQUEST' then 'explain.refund_asked'
            when 'REFUND' then 'explain.apple_reports_refund'
            when 'REFUND_DECLINED' then 'explain.apple_declines_refund'
            else 'explain.apple_reverses_refund'
        end) as what,
        notifications.original_transaction_id, null as charge_id, null as order_id, null as amount
    from chain
    inner join notifications using (original_transaction_id, bundle_id, environment)
    where notifications.type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED', 'REFUND_REVERSED')
    union all
    select charged.revoked_at, phrase('explain.revoked'), charged.original_transaction_id, charged.charge_id, null,
        money_text(charged.refunded_milliunits, charged.currency)
    from charged
    where charged.revoked_at is not null
    union all
    select orders.refunded_at, phrase('explain.order_refunded'), null, null, orders.order_id,
        money_text(orders.price_milliunits, orders.currency)
    from unnest(:'order_ids'::text[]) as wanted (order_id)
    inner join orders on orders.order_id = wanted.order_id
    where orders.refunded_at is not null
)
select rfc3339(event.at) as at, event.what, event.amount, event.order_id, event.charge_id, event.original_transaction_id
from event
order by event.at desc, event.what, event.original_transaction_id, event.order_id
limit :'rows'::bigint;
