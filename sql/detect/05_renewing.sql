-- purpose: subscriptions that will renew automatically according to Apple (auto-renew on, not in retry), with the end of the
--          current period and its grace.
-- grain:   one row per subscription
create temp table detect_renewing on commit drop as
select
    subscription.original_transaction_id,
    subscription.bundle_id,
    subscription.charge_id,
    subscription.transaction_id,
    coalesce(subscription.renewal_milliunits, subscription.price_milliunits) as amount_milliunits,
    coalesce(subscription.renewal_currency, subscription.currency) as currency,
    subscription.purchased_at,
    subscription.expires_at,
    greatest(subscription.expires_at, subscription.grace_until) as over_at,
    subscription.is_over or subscription.status in ('grace', 'billing_retry') as is_settled
from detect_subscription as subscription
inner join in_charges as charges using (original_transaction_id, charge_id)
where subscription.is_renewing
    and subscription.expiration_intent is null
    and not coalesce(subscription.is_in_billing_retry, false)
    and subscription.status <> 'revoked'
    and not subscription.is_family
    -- The product after the upgrade is not known yet.
    and not charges.is_upgraded
    and greatest(subscription.expires_at, subscription.grace_until) is not null;
