-- purpose: RENEWAL_NO_ORDER: a renewal that Apple charged and that was not booked after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per open charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
select
    'RENEWAL_NO_ORDER',
    'charge:' || detect_open_charge.charge_id,
    detect_open_charge.bundle_id,
    'Production',
    detect_open_charge.charge_id,
    detect_open_charge.transaction_id,
    detect_open_charge.user_id,
    detect_open_charge.price_milliunits,
    detect_open_charge.currency,
    detect_open_charge.purchased_at + :'grace'::interval,
    'Apple renewed subscription ' || detect_open_charge.original_transaction_id || ' and no order was booked'
from detect_open_charge
where detect_open_charge.is_renewal
    and detect_open_charge.state <> 'refunded';
