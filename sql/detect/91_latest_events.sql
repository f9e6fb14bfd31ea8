-- purpose: the newest event of every break, and how often this as-of was already decided.
-- grain:   one row per break
create temp table detect_latest on commit drop as
select distinct on (break_events.break_id) break_events.*
from break_events
order by break_events.break_id, break_events.as_of desc, break_events.attempt desc;
