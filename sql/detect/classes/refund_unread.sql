-- purpose: REFUND_NOT_APPLIED and REFUND_NO_ORDER for a REFUND notification, or a REVOKE of family access, whose signed
--          transaction states no revocation, where no other source does. A refunded amount is unknown, so the price is at stake.
-- parameters: grace, skew (interval)
-- grain:   one finding per charge
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
with notified as materialized (
    select
        notifications.original_transaction_id, notifications.bundle_id, notifications.evidence_sha256, notifications.type,
        notifications.signed_at
    from in_notifications as notifications
    where notifications.type in ('REFUND', 'REFUND_REVERSED', 'REVOKE')
        and notifications.environment = 'Production'
),
nested as materialized (
    select notified.*, evidence_links.sha256
    from notified
    inner join evidence_links on evidence_links.parent_sha256 = notified.evidence_sha256
),
stated as materialized (
    select
        nested.original_transaction_id, nested.bundle_id, nested.type, nested.signed_at, transactions.transaction_id,
        transactions.revoked_at
    from nested
    inner join in_transactions as transactions
        on transactions.original_transaction_id = nested.original_transaction_id
        and transactions.evidence_sha256 = nested.sha256
),
unread as materialized (
    select distinct on (charges.original_transaction_id, charges.charge_id)
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.state, charges.price_milliunits, charges.currency,
        stated.transaction_id, stated.type, stated.signed_at, stated.revoked_at
    from stated
    inner join in_charges as charges using (original_transaction_id, bundle_id)
    where stated.transaction_id = any(charges.transaction_ids)
        and charges.environment = 'Production'
        and charges.revoked_at is null
        and case
            -- Family access that Apple signed again after the notification has not ended.
            when stated.type = 'REVOKE' then charges.state = 'family' and charges.signed_at <= stated.signed_at
            else has_money(charges.state, charges.price_milliunits)
        end
    order by charges.original_transaction_id, charges.charge_id, stated.signed_at desc, stated.type desc
)
select
    case when matches.order_id is null then 'REFUND_NO_ORDER' else 'REFUND_NOT_APPLIED' end,
    coalesce('order:' || orders.order_id, 'charge:' || unread.charge_id),
    unread.bundle_id,
    'Production',
    orders.order_id,
    unread.charge_id,
    unread.transaction_id,
    orders.user_id,
    case when unread.state = 'family' then 0 else unread.price_milliunits end,
    unread.currency,
    unread.signed_at + :'grace'::interval,
    phrase(
        case when unread.state = 'family' then 'detail.revoke_unread' else 'detail.refund_unread' end, 'at', rfc3339(unread.signed_at)
    )
from unread
left join in_matches as matches using (original_transaction_id, charge_id)
left join in_orders as orders on orders.order_id = matches.order_id
where unread.type <> 'REFUND_REVERSED'
    and unread.revoked_at is null
    and (
        orders.order_id is null
        or (orders.refunded_at is null and is_current_sale(orders.status, orders.delivered_at))
    )
    -- Family access without an order carries no money. Access that ended with Apple's notification is no break.
    and (
        unread.state <> 'family'
        or coalesce(orders.entitlement_expires_at > unread.signed_at + :'skew'::interval, orders.order_id is not null)
    );
