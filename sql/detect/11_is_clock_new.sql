-- purpose: whether no run has used a later clock.
-- parameters: as_of (timestamptz)
-- grain:   one row
select coalesce(max(detections.as_of) <= :'as_of'::timestamptz, true) as is_clock_new
from detections;
