-- purpose: open breaks, for the rules that use detect's findings.
-- grain:   one row per open break
create temp table rule_break on commit drop as
select break_events.*
from open_breaks
inner join break_events
    on break_events.break_id = open_breaks.break_id
    and break_events.as_of = open_breaks.as_of
    and break_events.attempt = open_breaks.attempt;
