-- purpose: appends the events of this run, updates the newest event of each open signal, and marks the signals' current and
--          former cases as changed.
-- grain:   one row per changed signal
insert into signal_events (
    signal_id, attempt, rule, rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id,
    currency, detail, inputs, parameters, run_id, score, amount_milliunits, is_open, happened_at, raised_at, as_of
)
select
    signal_id, attempt, rule, rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id,
    currency, detail, inputs, parameters, run_id, score, amount_milliunits, is_open, happened_at, raised_at, as_of
from rule_changed;
insert into console_changed (case_id, item_id, at)
select
    case_id_of_signal(changed.user_id, changed.subject_kind, changed.subject_id),
    changed.signal_id, changed.as_of
from rule_changed as changed
union
select
    case_id_of_signal(before.user_id, before.subject_kind, before.subject_id),
    changed.signal_id, changed.as_of
from rule_changed as changed
inner join open_signal_events as before on before.signal_id = changed.signal_id;
delete from open_signals
using rule_changed
where open_signals.signal_id = rule_changed.signal_id;
insert into open_signals (signal_id, rule, state, attempt, as_of)
select signal_id, rule, state, attempt, as_of
from rule_changed
where is_open;
