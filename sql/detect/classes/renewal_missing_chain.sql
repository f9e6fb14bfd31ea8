-- purpose: RENEWAL_MISSING: a subscription due to renew (auto-renew on, not in grace or retry) that Apple did not charge.
-- parameters: grace (interval), as_of (timestamptz): a period that has not ended is no difference
-- grain:   one finding per subscription
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
with missing as materialized (
    select detect_renewing.*
    from detect_renewing
    where detect_renewing.over_at <= :'as_of'::timestamptz
        and not detect_renewing.is_settled
        -- Apple charges up to a day early, and a notification about the previous period may be signed after a new subscription.
        and not exists (
            select 1
            from in_notifications as notifications
            where notifications.original_transaction_id = detect_renewing.original_transaction_id
                and notifications.bundle_id = detect_renewing.bundle_id
                and notifications.environment = 'Production'
                and notifications.type in ('EXPIRED', 'DID_FAIL_TO_RENEW', 'GRACE_PERIOD_EXPIRED', 'REVOKE')
                and notifications.signed_at >= greatest(
                    detect_renewing.purchased_at, detect_renewing.expires_at - interval '26 hours'
                )
        )
)
select
    'RENEWAL_MISSING',
    'chain:Production|' || missing.bundle_id || '|' || missing.original_transaction_id,
    missing.bundle_id,
    'Production',
    missing.charge_id,
    missing.transaction_id,
    owner.user_id,
    missing.amount_milliunits,
    missing.currency,
    missing.over_at + :'grace'::interval,
    phrase('detail.was_due', 'at', rfc3339(missing.expires_at))
from missing
-- The subscription's owner, not the last token, since a renewal may carry another user's token.
left join chain_owners(array(select missing.original_transaction_id from missing)) as owner
    on owner.environment = 'Production'
    and owner.bundle_id = missing.bundle_id
    and owner.original_transaction_id = missing.original_transaction_id;
