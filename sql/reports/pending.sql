-- purpose: how many differences are inside their grace time at an instant.
-- parameters: as_of (timestamptz)
-- grain:   one row
select count(*) as pending_count
from pending_breaks_at(:'as_of'::timestamptz);
