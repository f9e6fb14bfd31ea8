-- purpose: the state of the subscriptions of some chains, as phrases and as fields.
-- parameters: chains, bundle_ids, environments (text[]): parallel arrays; as_of (timestamptz)
-- grain:   one row per subscription
with chain as materialized (
    select named.*
    from unnest(:'chains'::text[], :'bundle_ids'::text[], :'environments'::text[])
        as named (original_transaction_id, bundle_id, environment)
)
select
    'subscription' as kind,
    phrase('explain.subscription_is', jsonb_build_object('id', subscription.original_transaction_id, 'facts', jsonb_build_array(
        case subscription.status
            when 'grace'
                then coalesce(phrase('explain.in_grace_until', 'at', rfc3339(subscription.grace_until)), phrase('explain.in_grace'))
            when 'billing_retry' then phrase('explain.in_billing_retry', 'at', rfc3339(retried_until(subscription.expires_at)))
            when 'active' then phrase('explain.active_until', 'at', rfc3339(subscription.expires_at))
            else jsonb_build_array(
                phrase('status.' || subscription.status),
                phrase('explain.ended', 'at', rfc3339(least(subscription.expires_at, subscription.revoked_at)))
            )
        end,
        phrase(case
            when subscription.is_renewing then 'explain.renewal_on'
            when not subscription.is_renewing then 'explain.renewal_off'
            else 'explain.renewal_unknown'
        end),
        case when subscription.status = 'grace' then phrase('explain.paid_until', 'at', rfc3339(subscription.expires_at)) end,
        phrase(case subscription.expiration_intent
            when 1 then 'explain.customer_cancelled'
            when 2 then 'explain.renewal_uncharged'
            when 3 then 'explain.price_refused'
            when 4 then 'explain.not_for_sale'
            when 5 then 'explain.ended_otherwise'
        end),
        subscription.product_id, subscription.environment, phrase('explain.app', 'id', subscription.bundle_id),
        coalesce(phrase('explain.heard', 'at', rfc3339(subscription.heard_at)), phrase('explain.nothing_heard'))
    )))::text as text,
    json_build_object(
        'bundle_id', subscription.bundle_id, 'environment', subscription.environment,
        'original_transaction_id', subscription.original_transaction_id, 'product_id', subscription.product_id,
        'status', subscription.status, 'expires_at', rfc3339(subscription.expires_at),
        'grace_until', rfc3339(subscription.grace_until), 'revoked_at', rfc3339(subscription.revoked_at),
        'auto_renew', subscription.is_renewing, 'is_in_billing_retry', subscription.is_in_billing_retry,
        'retry_until', case when subscription.status in ('grace', 'billing_retry') then rfc3339(retried_until(subscription.expires_at)) end,
        'expiration_intent', subscription.expiration_intent, 'renewal_product_id', subscription.renewal_product_id,
        'renewal_milliunits', subscription.renewal_milliunits, 'renewal_currency', subscription.renewal_currency,
        'heard_at', rfc3339(subscription.heard_at), 'last_polled_at', rfc3339(subscription.last_polled_at)
    )::text as fields
from chain
inner join subscriptions_of(:'as_of'::timestamptz, array(select distinct chain.original_transaction_id from chain)) as subscription
    using (original_transaction_id, bundle_id, environment)
order by (subscription.original_transaction_id || ' ' || subscription.bundle_id || ' ' || subscription.environment) collate "C";
