-- purpose: records the differences that became pending in this run.
-- parameters: as_of (timestamptz)
-- grain:   one row per pending difference
insert into payrecon.pending_breaks (
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, valid_from
)
with recorded as materialized (
    select pending_breaks.break_id
    from detect_judged
    inner join payrecon.pending_breaks on pending_breaks.break_id = detect_judged.break_id
    where detect_judged.is_pending
)
select
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, :'as_of'::timestamptz
from detect_judged
where is_pending
    and not exists (select 1 from recorded where recorded.break_id = detect_judged.break_id);
