-- purpose: QUANTITY_DIFF: matched, and the quantities differ.
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'QUANTITY_DIFF',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.charge_milliunits,
    differing_pair.charge_currency,
    differing_pair.purchased_at,
    'order is for ' || differing_pair.order_quantity || ', Apple sold ' || differing_pair.charge_quantity
from differing_pair
where differing_pair.order_quantity <> differing_pair.charge_quantity;
