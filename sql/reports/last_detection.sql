-- purpose: the clock of the last detect run up to an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row; none if detect never ran
select as_of
from detections
where as_of <= :'as_of'::timestamptz
order by as_of desc
limit 1;
