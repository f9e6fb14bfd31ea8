-- purpose: appends the events of this run, and keeps which event of each open signal is its newest.
-- grain:   one row per changed signal
insert into signal_events (
    signal_id, attempt, rule, rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id,
    currency, detail, inputs, parameters, run_id, score, amount_milliunits, is_open, happened_at, raised_at, as_of
)
select
    signal_id, attempt, rule, rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id,
    currency, detail, inputs, parameters, run_id, score, amount_milliunits, is_open, happened_at, raised_at, as_of
from rule_changed;
delete from open_signals
using rule_changed
where open_signals.signal_id = rule_changed.signal_id;
insert into open_signals (signal_id, rule, state, attempt, as_of)
select signal_id, rule, state, attempt, as_of
from rule_changed
where is_open;
