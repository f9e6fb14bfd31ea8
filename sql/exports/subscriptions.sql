-- purpose: export of subscriptions: each chain's state as Apple's newest signed word gives it at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per original transaction id of a renewing product
select
    subscription.bundle_id,
    subscription.environment,
    subscription.original_transaction_id,
    subscription.product_id,
    subscription.user_id,
    subscription.status,
    rfc3339(subscription.expires_at) as expires_at,
    rfc3339(subscription.grace_until) as grace_until,
    case when subscription.is_renewing then 'true' when not subscription.is_renewing then 'false' end as auto_renew,
    subscription.expiration_intent,
    rfc3339(poll_queue.due_at) as next_poll_at,
    rfc3339(subscription.last_polled_at) as last_polled_at,
    subscription.renewal_product_id,
    subscription.renewal_milliunits,
    subscription.renewal_currency,
    case subscription.price_increase_status when 0 then 'pending' when 1 then 'accepted' end as price_increase,
    subscription.offer_type,
    case when subscription.is_family then 'FAMILY_SHARED' else 'PURCHASED' end as ownership,
    subscription.subscription_group,
    subscription.storefront,
    rfc3339(subscription.purchased_at) as purchased_at,
    rfc3339(subscription.heard_at) as heard_at
from subscriptions_at(:'as_of'::timestamptz) as subscription
left join poll_queue
    on poll_queue.original_transaction_id = subscription.original_transaction_id
    and poll_queue.bundle_id = subscription.bundle_id
    and poll_queue.environment = subscription.environment
order by subscription.environment, subscription.bundle_id, subscription.original_transaction_id;
