-- purpose: ENTITLEMENT_SHORT where access ends with the expiry that was sold, and Apple gives more: a grace while it tries to
--          charge, or a later end that it gave away. It falls due when access ends.
-- parameters: grace, skew (intervals), as_of (timestamptz)
-- grain:   one finding per order of a subscription's last period
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
with told as (
    select
        renewal_infos.original_transaction_id,
        max(greatest(renewal_infos.grace_expires_at, renewal_infos.renewal_at)) as until
    from in_renewal_infos as renewal_infos
    where renewal_infos.environment = 'Production'
    group by renewal_infos.original_transaction_id
),
sold as (
    select charges.original_transaction_id, max(charges.expires_at) as until
    from in_charges as charges
    where charges.environment = 'Production'
        and charges.type = 'auto_renewable'
        and access_ended_at(charges.revoked_at, charges.revocation_type) is null
        and not charges.is_upgraded
    group by charges.original_transaction_id
),
-- Few: most of what is told of a period ends with it.
longer as (
    select told.original_transaction_id
    from told
    inner join sold on sold.original_transaction_id = told.original_transaction_id
    where told.until > sold.until + :'skew'::interval
),
given as (
    select
        subscription.original_transaction_id, subscription.charge_id,
        greatest(subscription.expires_at, subscription.grace_until) as until
    from subscriptions_of(
        :'as_of'::timestamptz, (select coalesce(array_agg(longer.original_transaction_id), '{}') from longer)
    ) as subscription
    where subscription.environment = 'Production'
        and subscription.status <> 'revoked'
)
select
    'ENTITLEMENT_SHORT',
    'order:' || orders.order_id,
    charges.bundle_id,
    'Production',
    orders.order_id,
    charges.charge_id,
    charges.transaction_ids[1],
    orders.user_id,
    charges.price_milliunits,
    charges.currency,
    orders.entitlement_expires_at + :'grace'::interval,
    'access until ' || rfc3339(orders.entitlement_expires_at) || ', Apple gives it until ' || rfc3339(given.until)
from given
inner join in_charges as charges
    on charges.original_transaction_id = given.original_transaction_id
    and charges.charge_id = given.charge_id
inner join in_matches as matches
    on matches.original_transaction_id = charges.original_transaction_id
    and matches.charge_id = charges.charge_id
inner join in_orders as orders on orders.order_id = matches.order_id
where orders.status in ('paid', 'delivered')
    and access_ended_at(charges.revoked_at, charges.revocation_type) is null
    and not charges.is_upgraded
    -- Access shorter than what was sold is found beside (entitlement.sql).
    and orders.entitlement_expires_at >= charges.expires_at - :'skew'::interval
    and orders.entitlement_expires_at < given.until - :'skew'::interval;
