-- purpose: the subscriptions at a clock that may need a poll, with the fields that decide it.
-- parameters: clock, ends_from (timestamptz): subscriptions that ended before are not polled, bundles (text[]), is_whole
--             (boolean): all subscriptions, not just those of the staged chains
-- grain:   one row per Production subscription, ordered by key
select
    subscription.bundle_id, subscription.original_transaction_id, subscription.expires_at, subscription.grace_until,
    subscription.is_renewing,
    subscription.is_in_billing_retry or subscription.status = 'billing_retry' as is_retrying,
    subscription.heard_at, subscription.last_polled_at,
    coalesce(subscription.renewal_milliunits, subscription.price_milliunits, 0) as exposure_milliunits,
    coalesce(
        case when subscription.renewal_milliunits is not null then subscription.renewal_currency end,
        subscription.currency, ''
    ) as currency
from (
    select * from subscriptions_at(:'clock'::timestamptz) where :'is_whole'::boolean
    union all
    select *
    from subscriptions_of(:'clock'::timestamptz, array(select distinct staged_chain.original_transaction_id from staged_chain))
    where not :'is_whole'::boolean
) as subscription
where subscription.environment = 'Production'
    and subscription.bundle_id = any(:'bundles'::text[])
    and subscription.expires_at >= :'ends_from'::timestamptz
    and not subscription.is_over
order by subscription.original_transaction_id, subscription.bundle_id;
