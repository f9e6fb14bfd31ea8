-- purpose: ENTITLEMENT_SHORT where access ends with the sold expiry and Apple grants more: a grace while it tries to charge,
--          or a later expiry granted for free. It falls due when access ends. Family access that the catalogue does not allow
--          is never too short.
-- parameters: grace, skew (interval)
-- grain:   one finding per order of a subscription's last period
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
-- Periods that Apple extends, which are few.
with extended as materialized (
    select
        charges.bundle_id, charges.product_id, charges.original_transaction_id, charges.charge_id, charges.transaction_ids,
        charges.state, charges.price_milliunits, charges.currency, charges.expires_at, access.until
    from detect_subscription as subscription
    cross join lateral (select greatest(subscription.expires_at, subscription.grace_until) as until) as access
    inner join in_charges as charges using (original_transaction_id, charge_id)
    where subscription.status <> 'revoked'
        and access.until > charges.expires_at
        and access_ended_at(charges.revoked_at, charges.revocation_type) is null
        and not charges.is_upgraded
)
select
    'ENTITLEMENT_SHORT',
    'order:' || orders.order_id,
    extended.bundle_id,
    'Production',
    orders.order_id,
    extended.charge_id,
    extended.transaction_ids[1],
    orders.user_id,
    extended.price_milliunits,
    extended.currency,
    orders.entitlement_expires_at + :'grace'::interval,
    phrase('detail.access_given_until', 'ours', rfc3339(orders.entitlement_expires_at), 'theirs', rfc3339(extended.until))
from extended
inner join in_matches as matches using (original_transaction_id, charge_id)
inner join in_orders as orders on orders.order_id = matches.order_id
left join products on products.bundle_id = extended.bundle_id and products.product_id = extended.product_id
where is_current_sale(orders.status, orders.delivered_at)
    and (extended.state <> 'family' or products.is_family_shareable is not false)
    -- Access shorter than sold is found by entitlement.sql.
    and orders.entitlement_expires_at >= extended.expires_at - :'skew'::interval
    and orders.entitlement_expires_at < extended.until - :'skew'::interval;
