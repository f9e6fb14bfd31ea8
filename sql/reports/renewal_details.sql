-- purpose: every member of every plan: its state, last poll and outcome.
-- parameters: as_of (timestamptz)
-- grain:   one row per member of the plans of the last 62 days and to come
-- note:    the report computes next_poll_at from the last six columns and drops them.
with member as (
    select renewal_plan_members.*
    from renewal_plan_members
    inner join renewal_plans using (bundle_id, due_day)
    where renewal_plans.frozen_at <= :'as_of'::timestamptz
        and renewal_plans.day_to > :'as_of'::timestamptz - interval '62 days'
),
last_poll as (
    select
        member.original_transaction_id, member.bundle_id, member.due_day, count(*) as poll_count,
        max(polls.requested_at) as last_asked_at,
        min(polls.requested_at) filter (where polls.requested_at >= member.expires_at) as first_after_at
    from member
    inner join polls using (original_transaction_id, bundle_id)
    where polls.environment = 'Production'
        and polls.requested_at >= member.expires_at - interval '26 hours'
        and polls.requested_at <= :'as_of'::timestamptz
    group by member.original_transaction_id, member.bundle_id, member.due_day
),
notified as materialized (
    select member.original_transaction_id, member.bundle_id, member.due_day, notifications.evidence_sha256
    from member
    inner join notifications using (original_transaction_id, bundle_id)
    inner join batches on batches.batch_id = notifications.batch_id
    where notifications.environment = 'Production'
        and notifications.signed_at >= member.expires_at - interval '26 hours'
        and notifications.type in ('DID_RENEW', 'DID_FAIL_TO_RENEW', 'EXPIRED', 'GRACE_PERIOD_EXPIRED', 'REVOKE', 'REFUND')
        and batches.known_at <= :'as_of'::timestamptz
),
detail as (
    select
        notified.original_transaction_id, notified.bundle_id, notified.due_day,
        min(least(evidence.received_at, uploads.received_at)) as seen_at
    from notified
    inner join evidence on evidence.sha256 = notified.evidence_sha256
    left join uploads on uploads.sha256 = notified.evidence_sha256
    group by notified.original_transaction_id, notified.bundle_id, notified.due_day
)
select
    to_char(member.due_day, 'YYYY-MM-DD') as due_day,
    member.bundle_id, member.original_transaction_id, member.user_id as user_ref,
    rfc3339(member.expires_at) as expires_at,
    member.due_milliunits as renewal_price_milliunits, member.currency, member.renewal_product_id as renewal_product,
    subscription.status,
    rfc3339(subscription.grace_until) as grace_until,
    rfc3339(last_poll.last_asked_at) as last_polled_at,
    coalesce(last_poll.poll_count, 0) as polls,
    rfc3339(detail.seen_at) as notification_seen_at,
    extract(epoch from last_poll.first_after_at - detail.seen_at)::bigint as poll_vs_notification_lag_s,
    settled.outcome, settled.transaction_id as new_transaction_id, settled.order_id,
    null::text as next_poll_at,
    rfc3339(subscription.expires_at) as current_expires_at,
    rfc3339(subscription.heard_at) as heard_at,
    rfc3339(subscription.last_polled_at) as requested_at,
    subscription.is_renewing,
    coalesce(subscription.is_in_billing_retry or subscription.status = 'billing_retry', false) as is_retrying,
    coalesce(subscription.is_over, false) as is_over
from member
left join last_poll using (original_transaction_id, bundle_id, due_day)
left join detail using (original_transaction_id, bundle_id, due_day)
left join renewal_outcomes_at(:'as_of'::timestamptz) as settled using (original_transaction_id, bundle_id, due_day)
left join subscriptions_at(:'as_of'::timestamptz) as subscription
    on subscription.original_transaction_id = member.original_transaction_id
    and subscription.bundle_id = member.bundle_id
    and subscription.environment = 'Production'
order by member.due_day, member.bundle_id, member.expires_at, member.original_transaction_id;
