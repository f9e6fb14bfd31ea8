-- purpose: subscriptions among some charges, in their state according to Apple's newest statement.
-- parameters: charge_ids (text[]), as_of (timestamptz), rows (bigint)
-- grain:   one row per subscription
select
    subscription.original_transaction_id, subscription.product_id, subscription.status,
    subscription.is_renewing, rfc3339(least(subscription.expires_at, subscription.revoked_at)) as ends_at,
    rfc3339(subscription.grace_until) as grace_until_at,
    money_text(subscription.renewal_milliunits, subscription.renewal_currency) as price, subscription.storefront,
    rfc3339(subscription.heard_at) as heard_at, nullif(subscription.environment, 'Production') as environment
from subscriptions_of(
    :'as_of'::timestamptz,
    array(
        select distinct charges.original_transaction_id
        from charges
        where charges.charge_id = any(:'charge_ids'::text[])
            and charges.type = 'auto_renewable'
    )
) as subscription
order by subscription.expires_at desc nulls last, subscription.original_transaction_id
limit :'rows'::bigint;
