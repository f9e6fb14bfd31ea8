-- purpose: export of subscriptions: each chain's state as Apple's newest signed word gives it at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row per original transaction id of a renewing product
with known_batch as (
    select batch_id from batches where known_at <= :'as_of'::timestamptz
),
period as (
    select charges.*
    from charges
    where charges.type = 'auto_renewable'
        and charges.batch_id in (select batch_id from known_batch)
),
current_period as (
    select distinct on (environment, bundle_id, original_transaction_id) period.*
    from period
    order by
        environment, bundle_id, original_transaction_id, (revoked_at is null) desc, expires_at desc nulls last,
        charge_id desc
),
token_user as (
    select app_account_token as token, min(user_id) as user_id
    from users
    where app_account_token is not null
    group by app_account_token
    having count(*) = 1
),
chain_user as (
    select distinct on (period.environment, period.bundle_id, period.original_transaction_id)
        period.environment,
        period.bundle_id,
        period.original_transaction_id,
        coalesce(token_user.user_id, orders.user_id) as user_id
    from period
    left join token_user on token_user.token = period.app_account_token
    left join claims on claims.charge_id = period.charge_id
    left join orders on orders.order_id = claims.order_id
    where coalesce(token_user.user_id, orders.user_id) is not null
    order by
        period.environment, period.bundle_id, period.original_transaction_id, period.purchased_at, period.charge_id
),
newest_info as (
    select distinct on (environment, original_transaction_id) renewal_infos.*
    from renewal_infos
    where batch_id in (select batch_id from known_batch)
    order by environment, original_transaction_id, signed_at desc, evidence_sha256 desc
)
select
    current_period.bundle_id,
    current_period.environment,
    current_period.original_transaction_id,
    current_period.product_id,
    chain_user.user_id,
    case
        when current_period.revoked_at is not null then 'revoked'
        when current_period.expires_at > :'as_of'::timestamptz then 'active'
        when newest_info.grace_expires_at > :'as_of'::timestamptz then 'grace'
        when newest_info.is_in_billing_retry then 'billing_retry'
        else 'expired'
    end as status,
    rfc3339(current_period.expires_at) as expires_at,
    rfc3339(newest_info.grace_expires_at) as grace_until,
    case newest_info.auto_renew_status when 1 then 'true' when 0 then 'false' end as auto_renew,
    newest_info.expiration_intent,
    null::text as next_poll_at,
    null::text as last_polled_at
from current_period
left join chain_user
    on chain_user.original_transaction_id = current_period.original_transaction_id
    and chain_user.bundle_id = current_period.bundle_id
    and chain_user.environment = current_period.environment
left join newest_info
    on newest_info.original_transaction_id = current_period.original_transaction_id
    and newest_info.environment = current_period.environment
order by current_period.environment, current_period.bundle_id, current_period.original_transaction_id;
