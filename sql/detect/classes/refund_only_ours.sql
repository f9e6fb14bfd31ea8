-- purpose: REFUND_ONLY_OURS: our order is refunded, and Apple has not refunded the charge after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REFUND_ONLY_OURS',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.charge_milliunits,
    differing_pair.charge_currency,
    coalesce(differing_pair.refunded_at, differing_pair.purchased_at) + :'grace'::interval,
    'we refunded, Apple did not'
from differing_pair
where differing_pair.revoked_at is null
    and differing_pair.reversed_at is null
    and differing_pair.state <> 'family'
    and (differing_pair.status = 'refunded' or differing_pair.refunded_at is not null);
