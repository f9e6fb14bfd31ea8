-- purpose: open undecided breaks at a clock by severity, and the numbers of decided breaks and pending differences.
-- parameters: as_of (timestamptz)
-- grain:   one row per severity that occurs; 'decided' for decided breaks, 'pending' for differences in their grace time
with open_break as materialized (
    select break_events.break_id, break_events.severity
    from open_break_events as break_events
)
select case when decided.break_id is null then open_break.severity else 'decided' end as name, count(*) as break_count
from open_break
left join decided_breaks_at(:'as_of'::timestamptz) as decided
    on decided.break_id = open_break.break_id
    and decided.ended_at is null
group by 1
union all
select 'pending', count(*)
from pending_breaks
having count(*) > 0
order by name;
