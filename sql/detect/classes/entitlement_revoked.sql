-- purpose: ENTITLEMENT_SHORT: we revoked the order and Apple refunded nothing. Access that ran to Apple's expiry is not
--          short, nor is access to a period that an upgrade ended.
-- parameters: grace, skew (intervals)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'ENTITLEMENT_SHORT',
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
    'we revoked the order, Apple did not refund or revoke the purchase'
from detect_pair
where detect_pair.status = 'revoked'
    and detect_pair.refunded_at is null
    and detect_pair.revoked_at is null
    and detect_pair.reversed_at is null
    and not detect_pair.is_upgraded
    and not coalesce(detect_pair.entitlement_expires_at >= detect_pair.expires_at - :'skew'::interval, false);
