-- purpose: records the differences that are pending since this run.
-- parameters: as_of (timestamptz)
-- grain:   one row per pending difference
insert into payrecon.pending_breaks (
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, valid_from
)
select
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, :'as_of'::timestamptz
from detect_judged
where is_pending
    and not exists (select from payrecon.pending_breaks as standing where standing.break_id = detect_judged.break_id);
