-- purpose: whether this clock is none that a run has already gone beyond.
-- parameters: as_of (timestamptz)
-- grain:   one row
select coalesce(max(detections.as_of) <= :'as_of'::timestamptz, true) as is_clock_new
from detections;
