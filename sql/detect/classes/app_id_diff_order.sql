-- purpose: APP_ID_DIFF: an order that claims a notification of another Apple app id.
-- grain:   one finding per claiming order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'APP_ID_DIFF',
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
    'claims evidence of another app id: ' || coalesce(evidence.reason, '')
from detect_open_order
left join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
left join detect_refused_evidence as evidence on evidence.sha256 = detect_open_order.evidence_sha256
where detect_open_order.class = 'APP_ID_DIFF';
