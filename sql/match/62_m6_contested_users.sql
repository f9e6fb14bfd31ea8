-- purpose: how many users have contested pairs.
-- grain:   one row
select coalesce(max(place), 0)::bigint
from match_contested;
