-- purpose: Returns the newest event of each open break, with its place in lists.
-- grain:   one row per open break
create or replace view payrecon.open_break_events with (security_invoker = true) as
select break_events.*, open_breaks.place
from payrecon.open_breaks
inner join payrecon.break_events
    on break_events.break_id = open_breaks.break_id
    and break_events.as_of = open_breaks.as_of
    and break_events.attempt = open_breaks.attempt;
