-- purpose: PAID_NOT_DELIVERED: matched, not refunded, and nothing delivered after the grace time. A part that Apple refunded
--          is not at stake.
-- parameters: grace (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'PAID_NOT_DELIVERED',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.charge_milliunits - coalesce(differing_pair.refunded_milliunits, 0),
    differing_pair.charge_currency,
    differing_pair.purchased_at + :'grace'::interval,
    'Apple charged and the order is ' || differing_pair.status
from differing_pair
where differing_pair.status in ('created', 'paid', 'cancelled')
    and differing_pair.delivered_at is null
    and (differing_pair.revoked_at is null or differing_pair.state = 'partly_refunded');
