-- purpose: export of subscriptions: the state of each chain according to Apple's newest signed statement at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per original transaction id of a renewing product
-- note:    the exporter computes next_poll_at from the last two columns and drops them.
select
    subscription.bundle_id, subscription.environment, subscription.original_transaction_id, subscription.product_id,
    subscription.user_id, subscription.status,
    rfc3339(subscription.expires_at) as expires_at,
    rfc3339(subscription.grace_until) as grace_until,
    subscription.is_renewing as auto_renew,
    subscription.expiration_intent,
    null::text as next_poll_at,
    rfc3339(subscription.last_polled_at) as last_polled_at,
    subscription.renewal_product_id, subscription.renewal_milliunits, subscription.renewal_currency,
    case subscription.price_increase_status when 0 then 'pending' when 1 then 'accepted' end as price_increase,
    subscription.offer_type,
    case when subscription.is_family then 'FAMILY_SHARED' else 'PURCHASED' end as ownership,
    subscription.subscription_group, subscription.storefront,
    rfc3339(subscription.purchased_at) as purchased_at,
    rfc3339(subscription.heard_at) as heard_at,
    coalesce(subscription.is_in_billing_retry or subscription.status = 'billing_retry', false) as is_retrying,
    coalesce(subscription.is_over, false) as is_over
from subscriptions_at(:'as_of'::timestamptz) as subscription
order by subscription.environment, subscription.bundle_id, subscription.original_transaction_id;
