-- purpose: the newest event of each signal that this run found or that is open.
-- grain:   one row per signal with an event
create temp table rule_latest on commit drop as
with relevant as materialized (
    select rule_judged.signal_id from rule_judged
    union
    select open_signals.signal_id from open_signals
)
select distinct on (signal_events.signal_id) signal_events.*
from relevant
inner join signal_events on signal_events.signal_id = relevant.signal_id
order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc;
