-- purpose: the newest event of each signal that this run found, or that is open.
-- parameters: none
-- grain:   one row per signal that was ever raised
create temp table rule_latest on commit drop as
with standing as materialized (
    select open_signals.signal_id from open_signals
),
looked_at as materialized (
    select rule_judged.signal_id from rule_judged
    union
    select standing.signal_id from standing
)
select distinct on (signal_events.signal_id) signal_events.*
from looked_at
inner join signal_events on signal_events.signal_id = looked_at.signal_id
order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc;
