-- purpose: appends the events of this run, keeps which event of each open signal is its newest, and tells the console of
--          the cases that the signals are in.
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
    case_id_of(
        case when told.user_id is null then told.subject_kind else 'user' end, coalesce(told.user_id, told.subject_id)
    ),
    told.signal_id, told.as_of
from rule_changed as told;
delete from open_signals
using rule_changed
where open_signals.signal_id = rule_changed.signal_id;
insert into open_signals (signal_id, rule, state, attempt, as_of)
select signal_id, rule, state, attempt, as_of
from rule_changed
where is_open;
