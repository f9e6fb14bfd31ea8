-- purpose: ID_CONFLICT: one Production line item with another original id, product or purchase instant; also a consumable,
--          which is never restored, reported under another transaction id than its original one. That id is still an alias
--          of the charge.
-- grain:   one finding per charge beyond the group's earliest purchase, and per such consumable
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
    phrase('detail.item_conflict', 'item', web_order_line_item_id, 'id', first_transaction_id)
from numbered
where place > 1
union all
select distinct
    'ID_CONFLICT',
    'charge:' || charges.charge_id,
    charges.bundle_id,
    'Production',
    charges.charge_id,
    charges.transaction_ids[1],
    charges.price_milliunits,
    charges.currency,
    charges.purchased_at,
    phrase(
        'detail.consumable_conflict', 'original', charges.original_transaction_id,
        'id', (array_remove(charges.transaction_ids, charges.original_transaction_id))[1]
    )
from in_charges as charges
-- A receipt may omit the product type. A purchase that no source calls consumable may have been restored.
inner join in_transactions as transactions using (original_transaction_id, charge_id)
where transactions.type = 'consumable'
    and charges.type = 'consumable'
    and charges.environment = 'Production'
    and cardinality(array_remove(charges.transaction_ids, charges.original_transaction_id)) > 0;
