-- purpose: how many differences are inside their grace time at an instant; only the newest detection's are kept.
-- parameters: as_of (timestamptz)
-- grain:   one row; zero for an instant before the newest detection
select count(*) as pending_count
from pending_breaks
where not exists (select from detections where detections.as_of > :'as_of'::timestamptz);
