-- purpose: the clock of the last run that looked for differences, up to an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row, none where nobody ever looked
select as_of
from detections
where as_of <= :'as_of'::timestamptz
order by as_of desc
limit 1;
