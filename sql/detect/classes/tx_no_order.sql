-- purpose: TX_NO_ORDER, RENEWAL_NO_ORDER and REFUND_NO_ORDER: a genuine Production charge, a renewal or a refund without an
--          order after the grace time.
-- parameters: grace (interval)
-- grain:   one finding per open charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
select
    case
        when detect_open_charge.state = 'refunded' then 'REFUND_NO_ORDER'
        when detect_open_charge.is_renewal then 'RENEWAL_NO_ORDER'
        else 'TX_NO_ORDER'
    end,
    'charge:' || detect_open_charge.charge_id,
    detect_open_charge.bundle_id,
    'Production',
    detect_open_charge.charge_id,
    detect_open_charge.transaction_id,
    detect_open_charge.user_id,
    detect_open_charge.at_risk_milliunits,
    detect_open_charge.currency,
    case when detect_open_charge.state = 'refunded' then detect_open_charge.first_revoked_at else detect_open_charge.purchased_at end
        + :'grace'::interval,
    case
        when detect_open_charge.state = 'refunded' then phrase('detail.refund_unknown')
        when detect_open_charge.is_renewal
            then phrase('detail.renewed_unbooked', 'id', detect_open_charge.original_transaction_id)
        else phrase('detail.charged_no_order', 'product', detect_open_charge.product_id)
    end
from detect_open_charge;
