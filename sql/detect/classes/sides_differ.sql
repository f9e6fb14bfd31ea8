-- purpose: AMOUNT_DIFF, CURRENCY_DIFF, PRODUCT_DIFF and QUANTITY_DIFF: matched, and the two sides differ. Totals are compared
--          in one currency; a side without a currency is compared in the other's. Money booked on family-shared access,
--          which carries none, is an AMOUNT_DIFF; a cart on it is no difference. Only two reviewers match a charge of another
--          product.
-- grain:   one finding per match and class
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    difference.class, 'order:' || pair.order_id, pair.bundle_id, 'Production', pair.order_id, pair.charge_id,
    pair.transaction_id, pair.user_id, difference.amount_milliunits, difference.currency, pair.purchased_at, difference.detail
from differing_pair as pair
cross join lateral (
    select
        'AMOUNT_DIFF' as class,
        abs(pair.order_milliunits - pair.charge_milliunits) as amount_milliunits,
        pair.charge_currency as currency,
        phrase(
            'detail.amounts', 'ours', money_text(pair.order_milliunits, coalesce(pair.order_currency, '')),
            'theirs', money_text(pair.charge_milliunits, coalesce(pair.charge_currency, ''))
        ) as detail
    where pair.order_milliunits <> pair.charge_milliunits
        and coalesce(pair.order_currency = pair.charge_currency, true)
        and pair.state <> 'family'
    union all
    select
        'AMOUNT_DIFF', pair.order_milliunits, pair.order_currency,
        phrase('detail.shared_access', 'ours', money_text(pair.order_milliunits, coalesce(pair.order_currency, '')))
    where pair.state = 'family'
        and pair.order_milliunits > 0
    union all
    select
        'CURRENCY_DIFF', pair.charge_milliunits, pair.charge_currency,
        phrase('detail.currencies', 'ours', pair.order_currency, 'theirs', pair.charge_currency)
    where pair.order_currency <> pair.charge_currency
        and pair.state <> 'family'
    union all
    select
        'PRODUCT_DIFF', coalesce(pair.order_milliunits, pair.charge_milliunits),
        coalesce(pair.order_currency, pair.charge_currency),
        phrase('detail.products', 'ours', pair.order_product_id, 'theirs', pair.product_id)
    where pair.order_product_id <> pair.product_id
    union all
    select
        'QUANTITY_DIFF', pair.charge_milliunits, pair.charge_currency,
        phrase('detail.products', 'ours', pair.order_quantity::text, 'theirs', pair.charge_quantity::text)
    where pair.order_quantity <> pair.charge_quantity
) as difference
where not pair.is_family_cart;
