-- purpose: REFUND_NO_ORDER: a refund of a charge without an order, after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per open charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
select
    'REFUND_NO_ORDER',
    'charge:' || detect_open_charge.charge_id,
    detect_open_charge.bundle_id,
    'Production',
    detect_open_charge.charge_id,
    detect_open_charge.transaction_id,
    detect_open_charge.user_id,
    detect_open_charge.price_milliunits,
    detect_open_charge.currency,
    detect_open_charge.first_revoked_at + :'grace'::interval,
    'Apple refunded a purchase that no order knows'
from detect_open_charge
where detect_open_charge.state = 'refunded';
