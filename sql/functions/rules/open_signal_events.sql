-- purpose: Returns the newest event of each open signal.
-- grain:   one row per open signal
create or replace view payrecon.open_signal_events with (security_invoker = true) as
select signal_events.*
from payrecon.open_signals
inner join payrecon.signal_events using (signal_id, as_of, attempt);
