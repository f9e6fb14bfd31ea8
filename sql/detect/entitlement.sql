-- purpose: ENTITLEMENT_OVERRUN and ENTITLEMENT_SHORT: access that ends later or earlier than Apple's expiry and grace.
-- parameters: grace, skew (intervals)
-- grain:   one finding per match of a subscription
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
with subscription_order as (
    select detect_pair.*
    from detect_pair
    where detect_pair.entitlement_expires_at is not null
        and detect_pair.expires_at is not null
        and detect_pair.revoked_at is null
        and detect_pair.status in ('paid', 'delivered')
        and (
            detect_pair.entitlement_expires_at > detect_pair.expires_at + :'skew'::interval
            or detect_pair.entitlement_expires_at < detect_pair.expires_at - :'skew'::interval
        )
),
allowed as (
    select
        subscription_order.order_id,
        max(charges.expires_at) as chain_expires_at
    from subscription_order
    inner join charges
        on charges.original_transaction_id = subscription_order.original_transaction_id
        and charges.bundle_id = subscription_order.bundle_id
        and charges.environment = 'Production'
        -- Refunded, or no longer shared by the family.
        and charges.revoked_at is null
    group by subscription_order.order_id
),
grace_date as (
    select distinct on (renewal_infos.original_transaction_id)
        renewal_infos.original_transaction_id,
        greatest(renewal_infos.grace_expires_at, renewal_infos.renewal_at) as until
    from renewal_infos
    where renewal_infos.original_transaction_id in (
        select subscription_order.original_transaction_id from subscription_order
    )
    order by
        renewal_infos.original_transaction_id, renewal_infos.signed_at desc, renewal_infos.evidence_sha256 desc
),
judged as (
    select
        subscription_order.*,
        greatest(allowed.chain_expires_at, grace_date.until) as allowed_until
    from subscription_order
    inner join allowed on allowed.order_id = subscription_order.order_id
    left join grace_date on grace_date.original_transaction_id = subscription_order.original_transaction_id
)
select
    case when entitlement_expires_at > expires_at then 'ENTITLEMENT_OVERRUN' else 'ENTITLEMENT_SHORT' end,
    'order:' || order_id,
    bundle_id,
    'Production',
    order_id,
    charge_id,
    transaction_id,
    user_id,
    charge_milliunits,
    charge_currency,
    case when entitlement_expires_at > expires_at then allowed_until else purchased_at end + :'grace'::interval,
    'access until ' || rfc3339(entitlement_expires_at) || ', Apple''s expiry is ' || rfc3339(expires_at)
from judged
where entitlement_expires_at < expires_at
    or entitlement_expires_at > allowed_until + :'skew'::interval;
