-- purpose: RENEWAL_MISSING: a subscription due to renew (auto-renew on, not in grace or retry) that Apple did not charge.
-- parameters: grace (interval), as_of (timestamptz): a period that is not over yet is no difference
-- grain:   one finding per subscription
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
with newest_info as (
    select distinct on (renewal_infos.original_transaction_id) renewal_infos.*
    from renewal_infos
    where renewal_infos.environment = 'Production'
    order by
        renewal_infos.original_transaction_id, renewal_infos.signed_at desc, renewal_infos.evidence_sha256 desc
),
newest_charge as (
    select distinct on (charges.original_transaction_id) charges.*
    from charges
    inner join newest_info on newest_info.original_transaction_id = charges.original_transaction_id
    where charges.environment = 'Production'
        and charges.type = 'auto_renewable'
    order by charges.original_transaction_id, charges.expires_at desc nulls last, charges.charge_id desc
)
select
    'RENEWAL_MISSING',
    'chain:Production|' || newest_charge.bundle_id || '|' || newest_charge.original_transaction_id,
    newest_charge.bundle_id,
    'Production',
    newest_charge.charge_id,
    newest_charge.transaction_ids[1],
    users.user_id,
    coalesce(newest_info.renewal_price_milliunits, newest_charge.price_milliunits),
    coalesce(newest_info.currency, newest_charge.currency),
    greatest(newest_charge.expires_at, newest_info.grace_expires_at) + :'grace'::interval,
    'was due to renew on ' || rfc3339(newest_charge.expires_at) || ' and Apple charged nothing'
from newest_charge
inner join newest_info on newest_info.original_transaction_id = newest_charge.original_transaction_id
left join users on users.app_account_token = newest_charge.app_account_token
where newest_info.auto_renew_status = 1
    and newest_info.expiration_intent is null
    and not coalesce(newest_info.is_in_billing_retry, false)
    and newest_charge.revoked_at is null
    and newest_charge.ownership = 'PURCHASED'
    and greatest(newest_charge.expires_at, newest_info.grace_expires_at) <= :'as_of'::timestamptz
    and not exists (
        select
        from notifications
        where notifications.original_transaction_id = newest_charge.original_transaction_id
            and notifications.type in ('EXPIRED', 'DID_FAIL_TO_RENEW', 'GRACE_PERIOD_EXPIRED', 'REVOKE')
            and notifications.signed_at >= newest_charge.purchased_at
    );
