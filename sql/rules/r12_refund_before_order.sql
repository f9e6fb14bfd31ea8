-- purpose: R12 refund before order: an order for a purchase that Apple had refunded before the order was placed.
-- traps:   a refund notice that merely arrived before the order's ingestion is no fraud: the rule compares Apple's instant
--          with the order's, not arrival times; a reversed refund does not count, nor does an abandoned cart.
-- parameters: skew (interval)
-- grain:   one signal per order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with refunded_first as (
    select
        order_id, bundle_id, user_id, charge_id, device_id, currency, price_milliunits as amount_milliunits,
        purchased_at, revoked_at, ordered_at, true as is_matched
    from rule_sale
    where order_id is not null
        and not is_tester
        and not is_renewal
        and ordered_at > revoked_at + :'skew'::interval
    union all
    select
        order_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, purchased_at, revoked_at,
        created_at, false
    from rule_refused
    where environment = 'Production'
        and charge_environment = 'Production'
        and not is_tester
        and not is_renewal
        and created_at > revoked_at + :'skew'::interval
),
booked as materialized (
    select refunded_first.*
    from refunded_first
    inner join orders on orders.order_id = refunded_first.order_id
    where is_booked(orders.status, orders.paid_at, orders.delivered_at)
)
select
    'R12',
    'order',
    order_id,
    bundle_id,
    user_id,
    charge_id,
    device_id,
    currency,
    amount_milliunits,
    1,
    ordered_at,
    phrase('detail.ordered_refunded', 'ordered', rfc3339(ordered_at), 'refunded', rfc3339(revoked_at)),
    json_build_object(
        'charge_id', charge_id, 'purchased_at', rfc3339(purchased_at), 'refunded_at', rfc3339(revoked_at),
        'ordered_at', rfc3339(ordered_at), 'is_matched', is_matched
    )::text
from booked;
