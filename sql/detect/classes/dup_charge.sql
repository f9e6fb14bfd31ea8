-- purpose: DUP_CHARGE: one order paid by two distinct charges; the finding is about the charge without the order.
-- grain:   one finding per second charge
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'DUP_CHARGE',
    'charge:' || detect_open_charge.charge_id,
    detect_open_charge.bundle_id,
    'Production',
    second_charges.order_id,
    detect_open_charge.charge_id,
    detect_open_charge.transaction_id,
    orders.user_id,
    detect_open_charge.at_risk_milliunits,
    detect_open_charge.currency,
    detect_open_charge.purchased_at,
    phrase('detail.paid_already', 'order', second_charges.order_id)
from in_second_charges as second_charges
inner join detect_open_charge on detect_open_charge.charge_id = second_charges.charge_id
inner join in_orders as orders on orders.order_id = second_charges.order_id
where detect_open_charge.state <> 'refunded';
