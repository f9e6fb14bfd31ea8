-- purpose: how many signals are open, by state.
-- parameters: none
-- grain:   one row per state that occurs
select newest.state, count(*) as signal_count
from (
    select distinct on (signal_events.signal_id) signal_events.state, signal_events.is_open
    from signal_events
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
where newest.is_open
group by newest.state
order by newest.state;
