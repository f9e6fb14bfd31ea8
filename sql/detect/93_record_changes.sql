-- purpose: appends the events of this run, updates the newest event of each open break, and marks the breaks' current and
--          former cases as changed.
-- grain:   one row per changed break
insert into payrecon.break_events (
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at, is_delivered, news_at
)
select
    break_id, attempt, family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, currency, detail, run_id, amount_milliunits, is_open, as_of, opened_at, is_delivered, news_at
from detect_changed;
insert into payrecon.console_changed (case_id, item_id, at)
select
    payrecon.case_id_of_break(changed.user_id, changed.order_id, changed.charge_id, changed.break_id), changed.break_id, changed.as_of
from detect_changed as changed
union
select
    payrecon.case_id_of_break(before.user_id, before.order_id, before.charge_id, before.break_id), changed.break_id, changed.as_of
from detect_changed as changed
inner join payrecon.open_break_events as before on before.break_id = changed.break_id;
delete from payrecon.open_breaks as open_break
using detect_changed
where open_break.break_id = detect_changed.break_id;
insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of, place, class, bundle_id)
select
    break_id, subject_id, attempt, as_of, payrecon.break_place(severity, opened_at, break_id), class, bundle_id
from detect_changed
where is_open;
