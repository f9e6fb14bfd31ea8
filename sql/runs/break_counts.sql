-- purpose: how many breaks are open and how many differences are pending, by severity.
-- parameters: none
-- grain:   one row per severity that occurs; severity 'pending' for differences in grace
select break_events.severity, count(*) as break_count
from open_breaks
inner join break_events
    on break_events.break_id = open_breaks.break_id
    and break_events.as_of = open_breaks.as_of
    and break_events.attempt = open_breaks.attempt
group by break_events.severity
union all
select 'pending', count(*)
from pending_breaks
having count(*) > 0
order by severity;
