-- purpose: appends the events of this run, and keeps which event of each open break is its newest.
-- grain:   one row per changed break
insert into payrecon.break_events (
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at, is_delivered
)
select
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at, is_delivered
from detect_changed;
delete from payrecon.open_breaks as standing
using detect_changed
where standing.break_id = detect_changed.break_id;
insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of)
select break_id, subject_id, attempt, as_of
from detect_changed
where is_open;
