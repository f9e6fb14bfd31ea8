-- purpose: PRODUCT_DIFF: a claim on a charge of another product, also one assigned by two reviewers.
-- grain:   one finding per order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'PRODUCT_DIFF',
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
    'order is for ' || detect_open_order.product_id || ', Apple sold ' || coalesce(charges.product_id, '')
from detect_open_order
left join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
left join detect_refused_evidence as evidence on evidence.sha256 = detect_open_order.evidence_sha256
where detect_open_order.class = 'PRODUCT_DIFF'
    and detect_open_order.environment = 'Production'
union all
select
    'PRODUCT_DIFF',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    coalesce(differing_pair.order_milliunits, differing_pair.charge_milliunits),
    coalesce(differing_pair.order_currency, differing_pair.charge_currency),
    differing_pair.purchased_at,
    'order is for ' || differing_pair.order_product_id || ', Apple sold ' || differing_pair.product_id
from differing_pair
where differing_pair.order_product_id <> differing_pair.product_id;
