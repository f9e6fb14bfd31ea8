-- purpose: how many breaks are open and how many differences are pending, by severity.
-- parameters: none
-- grain:   one row per severity that occurs; severity 'pending' for differences in grace
with latest as (
    select distinct on (break_events.break_id) break_events.severity, break_events.is_open
    from break_events
    order by break_events.break_id, break_events.as_of desc, break_events.attempt desc
)
select severity, count(*) as break_count
from latest
where is_open
group by severity
union all
select 'pending', count(*)
from pending_breaks
having count(*) > 0
order by severity;
