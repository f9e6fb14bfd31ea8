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
    left join products
        on products.bundle_id = charges.bundle_id
        and products.product_id = charges.product_id
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
    where charges.state = 'family'
        and charges.environment = 'Production'
),
holder as materialized (
    select orders.order_id, orders.user_id, orders.device_id, orders.status, orders.entitlement_expires_at
    from family
    inner join orders on orders.order_id = family.order_id
),
shared as (
    select family.*, holder.user_id, holder.device_id, holder.status, holder.entitlement_expires_at
    from family
    left join holder on holder.order_id = family.order_id
)
select
    'R17',
    'charge',
    shared.charge_id,
    shared.bundle_id,
    shared.user_id,
    shared.order_id,
    shared.device_id,
    1,
    coalesce(shared.revoked_at, shared.purchased_at),
    case
        when shared.revoked_at is null then phrase('detail.family_access', 'product', shared.product_id)
        else phrase('detail.family_ended', 'at', rfc3339(shared.revoked_at))
    end,
    json_build_object(
        'product', shared.product_id, 'is_family_shareable', shared.is_family_shareable,
        'revoked_at', rfc3339(shared.revoked_at), 'order_status', shared.status,
        'access_until', rfc3339(shared.entitlement_expires_at)
    )::text
from shared
where (shared.revoked_at is null and not shared.is_family_shareable)
    or (
        shared.revoked_at < :'as_of'::timestamptz - :'grace'::interval
        and shared.status = 'delivered'
        and coalesce(shared.entitlement_expires_at, 'infinity') > shared.revoked_at + :'grace'::interval
    );
