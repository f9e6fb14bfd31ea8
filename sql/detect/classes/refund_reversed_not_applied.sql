-- purpose: REFUND_REVERSED_NOT_APPLIED: Apple reversed a refund, and our order is still refunded or revoked after the grace
--          time.
-- parameters: grace (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REFUND_REVERSED_NOT_APPLIED',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    detect_pair.charge_milliunits,
    detect_pair.charge_currency,
    detect_pair.reversed_at + :'grace'::interval,
    'Apple reversed the refund, the order is ' || detect_pair.status
from detect_pair
where detect_pair.reversed_at is not null
    and detect_pair.revoked_at is null
    and (detect_pair.status in ('refunded', 'revoked') or detect_pair.refunded_at is not null);
