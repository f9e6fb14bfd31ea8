-- purpose: REFUND_ONLY_OURS: our order is refunded, and Apple has not refunded the charge after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REFUND_ONLY_OURS',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    detect_pair.charge_milliunits,
    detect_pair.charge_currency,
    coalesce(detect_pair.refunded_at, detect_pair.purchased_at) + :'grace'::interval,
    'we refunded, Apple did not'
from detect_pair
where detect_pair.revoked_at is null
    and detect_pair.reversed_at is null
    and detect_pair.state <> 'family'
    and (detect_pair.status = 'refunded' or detect_pair.refunded_at is not null);
