-- purpose: whether the queue can be updated incrementally, and its clock. The clock never moves back to that of a slightly
--          slower worker. A clock more than a day behind, a new version of the schedule or a new app require a rebuild.
-- parameters: bundles (text[]), code_version (text), as_of (timestamptz)
-- grain:   one row
select
    count(*) = cardinality(:'bundles'::text[])
    and coalesce(bool_and(code_version = :'code_version'::text), false)
    and coalesce(max(refreshed_at) <= :'as_of'::timestamptz + interval '1 day', false) as is_incremental,
    greatest(max(refreshed_at), :'as_of'::timestamptz) as latest_at
from renewal_refreshes
where bundle_id = any(:'bundles'::text[]);
