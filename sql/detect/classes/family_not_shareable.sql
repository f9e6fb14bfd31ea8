-- purpose: FAMILY_NOT_SHAREABLE: family-shared access to a product that the catalogue lists as not shareable, until Apple
--          revokes it.
-- grain:   one finding per family charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, amount_milliunits, currency, breaks_at, detail
)
select
    'FAMILY_NOT_SHAREABLE',
    'charge:' || charges.charge_id,
    charges.bundle_id,
    charges.environment,
    charges.charge_id,
    charges.transaction_ids[1],
    charges.price_milliunits,
    charges.currency,
    charges.purchased_at,
    phrase('detail.family_member', 'product', charges.product_id)
from in_charges as charges
inner join products using (bundle_id, product_id)
where charges.state = 'family'
    and charges.environment = 'Production'
    and charges.revoked_at is null
    and not products.is_family_shareable;
