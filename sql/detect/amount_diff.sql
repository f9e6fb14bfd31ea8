-- purpose: matched, same currency, different totals
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'AMOUNT_DIFF',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    abs(detect_pair.order_milliunits - detect_pair.charge_milliunits),
    detect_pair.charge_currency,
    detect_pair.purchased_at,
    'order says ' || detect_pair.order_milliunits || ', Apple charged ' || detect_pair.charge_milliunits || ' thousandths ' || coalesce(detect_pair.charge_currency, '')
from detect_pair
where detect_pair.order_milliunits <> detect_pair.charge_milliunits
    and coalesce(detect_pair.order_currency, '') = coalesce(detect_pair.charge_currency, detect_pair.order_currency, '')
    and detect_pair.state <> 'family';
