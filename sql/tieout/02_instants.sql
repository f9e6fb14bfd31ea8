-- purpose: the instants between which charges are read, as constants, because the planner knows nothing about a work table.
-- grain:   one row, wide enough for any time zone's days
select
    (day_from - 1)::timestamp at time zone 'UTC' as charges_from, (day_to + 2)::timestamp at time zone 'UTC' as charges_to
from tie_run;
