-- purpose: ENTITLEMENT_OVERRUN and ENTITLEMENT_SHORT: access that ends later or earlier than Apple's expiry and grace.
--          Access to a period that an upgrade or a full refund ended must not outlast the subscription's current access.
--          Family access that the catalogue does not allow is never too short.
-- parameters: grace, skew (interval), as_of (timestamptz)
-- grain:   one finding per match of a subscription
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
with subscription_order as (
    select differing_pair.*, differing_pair.is_upgraded or ended.at is not null as is_superseded
    from differing_pair
    cross join lateral (select access_ended_at(differing_pair.revoked_at, differing_pair.revocation_type) as at) as ended
    where differing_pair.entitlement_expires_at is not null
        and differing_pair.expires_at is not null
        and case
            when ended.at is null then is_current_sale(differing_pair.status, differing_pair.delivered_at)
            -- A delivered order without this refund is REFUND_NOT_APPLIED.
            else was_delivered(differing_pair.status, differing_pair.delivered_at)
                and differing_pair.state <> 'partly_refunded'
                and differing_pair.refunded_at >= differing_pair.refunded_since - :'skew'::interval
        end
        and (
            differing_pair.is_upgraded
            or ended.at is not null
            or differing_pair.entitlement_expires_at > differing_pair.expires_at + :'skew'::interval
            or differing_pair.entitlement_expires_at < differing_pair.expires_at - :'skew'::interval
        )
),
order_access as (
    select
        subscription_order.*, subscription.grace_until,
        case
            when subscription_order.is_superseded
                then coalesce(access_ended_at(access_period.revoked_at, access_period.revocation_type), subscription.expires_at)
            else subscription_order.expires_at
        end as due_until,
        coalesce(
            access_ended_at(access_period.revoked_at, access_period.revocation_type),
            -- Apple states a grace without its end.
            case when subscription.status = 'grace' and subscription.grace_until is null then 'infinity'::timestamptz end,
            greatest(subscription.expires_at, subscription.grace_until)
        ) as allowed_until
    from subscription_order
    inner join subscriptions_of(
        :'as_of'::timestamptz,
        (select coalesce(array_agg(distinct original_transaction_id), '{}') from subscription_order)
    ) as subscription
        on subscription.original_transaction_id = subscription_order.original_transaction_id
        and subscription.bundle_id = subscription_order.bundle_id
        and subscription.environment = 'Production'
    -- The period that gives access. If the last period was revoked, access ended with the revocation.
    inner join in_charges as access_period
        on access_period.original_transaction_id = subscription.original_transaction_id
        and access_period.charge_id = subscription.charge_id
)
select
    case when entitlement_expires_at > due_until then 'ENTITLEMENT_OVERRUN' else 'ENTITLEMENT_SHORT' end,
    'order:' || order_id,
    bundle_id,
    'Production',
    order_id,
    charge_id,
    transaction_id,
    user_id,
    charge_milliunits,
    charge_currency,
    case when entitlement_expires_at > due_until then allowed_until else purchased_at end + :'grace'::interval,
    case
        -- Apple's grace ends after its expiry, and our access after both.
        when entitlement_expires_at > due_until and grace_until > due_until and grace_until = allowed_until
            then phrase(
                'detail.access_until_grace', 'ours', rfc3339(entitlement_expires_at), 'theirs', rfc3339(due_until),
                'grace', rfc3339(grace_until)
            )
        else phrase('detail.access_until', 'ours', rfc3339(entitlement_expires_at), 'theirs', rfc3339(due_until))
    end
from order_access
left join products using (bundle_id, product_id)
-- Access to a period that ended early is never too short.
where (entitlement_expires_at < due_until and not is_superseded and (state <> 'family' or products.is_family_shareable is not false))
    or entitlement_expires_at > allowed_until + :'skew'::interval;
