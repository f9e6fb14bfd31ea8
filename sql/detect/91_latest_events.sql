-- purpose: the newest event of every break that was found or is open.
-- grain:   one row per break
create temp table detect_latest on commit drop as
select distinct on (break_events.break_id) break_events.*, break_events.family <> 'tieout' as is_asked
from (
    select break_id from detect_judged where not is_pending
    union
    select break_id from in_open_breaks as open_breaks
) as relevant
inner join break_events on break_events.break_id = relevant.break_id
order by break_events.break_id, break_events.as_of desc, break_events.attempt desc;
