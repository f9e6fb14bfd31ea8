-- purpose: R17 family misuse: family access to a product that is not shareable, or access that continues after the family
--          revoked it.
-- traps:   a shareable product is meant to be shared; a product without a catalogue entry is skipped; access may end within
--          grace of the revocation.
-- parameters: as_of (timestamptz), grace (interval)
-- grain:   one signal per family charge
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, device_id, score, happened_at, detail, inputs
)
with family as materialized (
    select charges.*, products.is_family_shareable, matches.order_id
    from charges
    left join products using (bundle_id, product_id)
    left join matches using (original_transaction_id, charge_id)
    where charges.state = 'family'
        and charges.environment = 'Production'
),
holder as materialized (
    select orders.order_id, orders.user_id, orders.device_id, orders.status, orders.entitlement_expires_at
    from family
    inner join orders on orders.order_id = family.order_id
)
select
    'R17',
    'charge',
    family.charge_id,
    family.bundle_id,
    holder.user_id,
    family.order_id,
    holder.device_id,
    1,
    coalesce(family.revoked_at, family.purchased_at),
    case
        when family.revoked_at is null then phrase('detail.family_access', 'product', family.product_id)
        else phrase('detail.family_ended', 'at', rfc3339(family.revoked_at))
    end,
    json_build_object(
        'product', family.product_id, 'is_family_shareable', family.is_family_shareable,
        'revoked_at', rfc3339(family.revoked_at), 'order_status', holder.status,
        'access_until', rfc3339(holder.entitlement_expires_at)
    )::text
from family
left join holder on holder.order_id = family.order_id
where (family.revoked_at is null and not family.is_family_shareable)
    or (
        family.revoked_at < :'as_of'::timestamptz - :'grace'::interval
        and holder.status = 'delivered'
        and coalesce(holder.entitlement_expires_at, 'infinity') > family.revoked_at + :'grace'::interval
    );
