-- purpose: REPLAY_MULTI_USER: one charge claimed by orders of different users.
-- grain:   one finding per claiming order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REPLAY_MULTI_USER',
    'order:' || detect_open_order.order_id,
    detect_open_order.bundle_id,
    detect_open_order.environment,
    detect_open_order.order_id,
    detect_open_order.charge_id,
    coalesce(charges.transaction_ids[1], evidence.transaction_id, detect_open_order.transaction_id),
    detect_open_order.user_id,
    coalesce(detect_open_order.price_milliunits, charges.price_milliunits),
    coalesce(detect_open_order.currency, charges.currency),
    detect_open_order.booked_at,
    'claims the charge of ' || coalesce('order ' || detect_open_order.counterpart || ' of user ' || holder.user_id, 'another user')
from detect_open_order
left join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
left join in_orders as holder on holder.order_id = detect_open_order.counterpart
left join detect_refused_evidence as evidence on evidence.sha256 = detect_open_order.evidence_sha256
where detect_open_order.class = 'REPLAY_MULTI_USER'
    and detect_open_order.environment = 'Production';
