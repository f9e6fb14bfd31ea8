-- purpose: ENTITLEMENT_SHORT: we revoked the order and Apple refunded nothing. Access that ran to Apple's expiry is not
--          short, nor is access to a period that an upgrade ended.
-- parameters: grace, skew (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'ENTITLEMENT_SHORT',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.charge_milliunits,
    differing_pair.charge_currency,
    differing_pair.purchased_at + :'grace'::interval,
    'we revoked the order, Apple did not refund or revoke the purchase'
from differing_pair
where differing_pair.status = 'revoked'
    and differing_pair.refunded_at is null
    and differing_pair.revoked_at is null
    and differing_pair.reversed_at is null
    and not differing_pair.is_upgraded
    and not coalesce(differing_pair.entitlement_expires_at >= differing_pair.expires_at - :'skew'::interval, false);
