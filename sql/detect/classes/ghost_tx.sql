-- purpose: GHOST_TX: an order names a transaction that Apple knows in neither environment and that has no genuine evidence.
-- grain:   one finding per open order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
select
    'GHOST_TX',
    'order:' || detect_open_order.order_id,
    detect_open_order.bundle_id,
    detect_open_order.environment,
    detect_open_order.order_id,
    detect_open_order.transaction_id,
    detect_open_order.user_id,
    detect_open_order.price_milliunits,
    detect_open_order.currency,
    api_misses.requested_at,
    phrase('detail.apple_unknown', 'id', detect_open_order.transaction_id, 'at', rfc3339(api_misses.requested_at))
from detect_open_order
inner join in_api_misses as api_misses using (bundle_id, transaction_id)
where (detect_open_order.status in ('created', 'paid') or detect_open_order.was_delivered)
    and not detect_open_order.names_charge;
