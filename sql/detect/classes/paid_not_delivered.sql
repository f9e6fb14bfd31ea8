-- purpose: PAID_NOT_DELIVERED: matched, not refunded, and nothing delivered after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'PAID_NOT_DELIVERED',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    detect_pair.charge_milliunits,
    detect_pair.charge_currency,
    detect_pair.purchased_at + :'grace'::interval,
    'Apple charged and the order is ' || detect_pair.status
from detect_pair
where detect_pair.status in ('created', 'paid', 'cancelled')
    and detect_pair.delivered_at is null
    and (detect_pair.revoked_at is null or detect_pair.state = 'partly_refunded');
