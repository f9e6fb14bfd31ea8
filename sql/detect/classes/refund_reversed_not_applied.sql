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
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.charge_milliunits,
    differing_pair.charge_currency,
    differing_pair.reversed_at + :'grace'::interval,
    'Apple reversed the refund, the order is ' || differing_pair.status
from differing_pair
where differing_pair.reversed_at is not null
    and differing_pair.revoked_at is null
    and (differing_pair.status in ('refunded', 'revoked') or differing_pair.refunded_at is not null);
