-- purpose: Returns the newest event of each open break, with its place in lists.
-- grain:   one row per open break
create or replace view payrecon.open_break_events with (security_invoker = true) as
select break_events.*, open_breaks.place
from payrecon.open_breaks
inner join payrecon.break_events using (break_id, as_of, attempt);
