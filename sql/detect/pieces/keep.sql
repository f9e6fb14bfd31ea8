-- purpose: stores the findings of a partition for the transaction that records all partitions.
-- parameters: piece (integer)
-- grain:   one row per difference
insert into piece_breaks (
    break_id, family, severity, class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, is_delivered, is_pending, piece
)
select
    break_id, family, severity, class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, is_delivered, is_pending, :'piece'::integer
from detect_judged;
