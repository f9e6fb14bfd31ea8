-- purpose: the signals that a rule finds on trial, compared with its live signals.
-- parameters: rule (text), row_max (bigint)
-- grain:   one row per signal found by the trial or live
with live_signal as materialized (
    select open_signals.signal_id
    from open_signals
    where open_signals.rule = :'rule'::text
        and open_signals.state = 'live'
)
select
    rule_judged.signal_id,
    case_id_of_signal(rule_judged.user_id, rule_judged.subject_kind, rule_judged.subject_id) as case_id,
    true as is_found,
    exists (select 1 from live_signal where live_signal.signal_id = rule_judged.signal_id) as is_standing
from rule_judged
where rule_judged.state <> 'allowed'
union all
select live_signal.signal_id, '', false, true
from live_signal
where not exists (select 1 from rule_judged where rule_judged.signal_id = live_signal.signal_id)
limit :'row_max'::bigint;
