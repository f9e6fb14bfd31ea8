-- purpose: appends the events of this run, keeps which event of each open break is its newest, and tells the console of the
--          cases that the breaks are in and were in.
-- grain:   one row per changed break
insert into payrecon.break_events (
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at
)
select
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at
from detect_changed;
insert into payrecon.console_changed (case_id, item_id, at)
select
    payrecon.case_id_of_break(told.user_id, told.order_id, told.charge_id, told.break_id), told.break_id, told.as_of
from detect_changed as told
union
select
    payrecon.case_id_of_break(before.user_id, before.order_id, before.charge_id, before.break_id), told.break_id, told.as_of
from detect_changed as told
inner join payrecon.open_breaks as standing on standing.break_id = told.break_id
inner join payrecon.break_events as before
    on before.break_id = standing.break_id
    and before.as_of = standing.as_of
    and before.attempt = standing.attempt;
delete from payrecon.open_breaks as standing
using detect_changed
where standing.break_id = detect_changed.break_id;
insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of, place, class, bundle_id)
select
    break_id, subject_id, attempt, as_of, payrecon.break_place(severity, opened_at, break_id), class, bundle_id
from detect_changed
where is_open;
