-- purpose: subscriptions that renew by themselves as far as Apple has said (auto-renew on, not in retry), with the end of
--          their newest period and its grace.
-- grain:   one row per subscription
create temp table detect_renewing on commit drop as
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
    newest_charge.original_transaction_id,
    newest_charge.bundle_id,
    newest_charge.charge_id,
    newest_charge.transaction_ids[1] as transaction_id,
    newest_charge.app_account_token,
    coalesce(newest_info.renewal_price_milliunits, newest_charge.price_milliunits) as amount_milliunits,
    coalesce(newest_info.currency, newest_charge.currency) as currency,
    newest_charge.purchased_at,
    newest_charge.expires_at,
    greatest(newest_charge.expires_at, newest_info.grace_expires_at) as over_at
from newest_charge
inner join newest_info on newest_info.original_transaction_id = newest_charge.original_transaction_id
where newest_info.auto_renew_status = 1
    and newest_info.expiration_intent is null
    and not coalesce(newest_info.is_in_billing_retry, false)
    and newest_charge.revoked_at is null
    and newest_charge.ownership = 'PURCHASED'
    and greatest(newest_charge.expires_at, newest_info.grace_expires_at) is not null;
