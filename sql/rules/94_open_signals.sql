-- purpose: how many signals are open, by state.
-- parameters: none
-- grain:   one row per state that occurs
select state, count(*) as signal_count
from open_signals
group by state
order by state;
