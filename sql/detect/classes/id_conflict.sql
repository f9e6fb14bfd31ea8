-- purpose: ID_CONFLICT: one Production line item with another original id, product or purchase instant.
-- grain:   one finding per charge beyond the group's earliest purchase
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, amount_milliunits, currency, breaks_at, detail
)
with numbered as (
    select
        charges.*,
        row_number() over same_item as place,
        first_value(charges.transaction_ids[1]) over same_item as first_transaction_id
    from in_charges as charges
    where charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and charges.web_order_line_item_id is not null
    window same_item as (
        partition by charges.bundle_id, charges.web_order_line_item_id order by charges.purchased_at, charges.charge_id
    )
)
select
    'ID_CONFLICT',
    'charge:' || charge_id,
    bundle_id,
    'Production',
    charge_id,
    transaction_ids[1],
    price_milliunits,
    currency,
    purchased_at,
    'line item ' || web_order_line_item_id || ' also belongs to transaction ' || first_transaction_id
from numbered
where place > 1;
