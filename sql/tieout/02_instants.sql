-- purpose: the instants between which charges are looked at, as numbers that a plan can be made for: nothing is known of what a work
--          table holds.
-- parameters: none
-- grain:   one row, with room for any beginning of a day
select
    (day_from - 1)::timestamp at time zone 'UTC' as looked_from, (day_to + 2)::timestamp at time zone 'UTC' as looked_to
from tie_run;
