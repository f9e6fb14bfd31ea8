-- purpose: CURRENCY_DIFF: matched, and the two sides name different currencies.
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'CURRENCY_DIFF',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    detect_pair.charge_milliunits,
    detect_pair.charge_currency,
    detect_pair.purchased_at,
    'order is in ' || detect_pair.order_currency || ', Apple charged in ' || detect_pair.charge_currency
from detect_pair
where detect_pair.order_currency <> detect_pair.charge_currency
    and detect_pair.state <> 'family';
