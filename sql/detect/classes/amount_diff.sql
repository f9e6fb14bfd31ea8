-- purpose: AMOUNT_DIFF: matched, same currency, different totals; also money booked on family-shared access, which carries
--          none.
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
    'order says ' || money_text(detect_pair.order_milliunits, coalesce(detect_pair.order_currency, ''))
        || ', Apple charged ' || money_text(detect_pair.charge_milliunits, coalesce(detect_pair.charge_currency, ''))
from detect_pair
where detect_pair.order_milliunits <> detect_pair.charge_milliunits
    and coalesce(detect_pair.order_currency, '') = coalesce(detect_pair.charge_currency, detect_pair.order_currency, '')
    and detect_pair.state <> 'family'
union all
select
    'AMOUNT_DIFF',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    detect_pair.order_milliunits,
    detect_pair.order_currency,
    detect_pair.purchased_at,
    'order says ' || money_text(detect_pair.order_milliunits, coalesce(detect_pair.order_currency, ''))
        || ', Apple charged nothing: '
        || 'this customer has the access without having bought it, as a family shares it'
from detect_pair
where detect_pair.state = 'family'
    and detect_pair.order_milliunits > 0;
