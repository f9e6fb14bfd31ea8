-- purpose: SANDBOX_IN_PROD: a purchase not of Production behind a live delivery; testers and open review windows are
--          allowed.
-- grain:   one finding per claiming order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'SANDBOX_IN_PROD',
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
    'delivered on a ' || coalesce(charges.environment, nullif(evidence.environment, ''), 'test') || ' purchase: nothing was paid'
from detect_open_order
left join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
left join detect_refused_evidence as evidence on evidence.sha256 = detect_open_order.evidence_sha256
where detect_open_order.class = 'SANDBOX_IN_PROD'
    and detect_open_order.was_delivered
    and not exists (select 1 from detect_allowed_order as allowed where allowed.order_id = detect_open_order.order_id);
