-- purpose: the breaks that are open, for the rules that look at what detect has already found.
-- grain:   one row per open break
create temp table rule_break on commit drop as
select newest.*
from (
    select distinct on (break_events.break_id) break_events.*
    from break_events
    order by break_events.break_id, break_events.as_of desc, break_events.attempt desc
) as newest
where newest.is_open;
