-- purpose: what a run took of the posts that the webhook stored, also before it was broken off.
-- parameters: run_id, file_name (text): what their batches are called
-- grain:   one row
select
    coalesce(sum(input_count), 0)::bigint as input_count,
    coalesce(sum(accepted_count), 0)::bigint as accepted_count,
    coalesce(sum(repeated_count), 0)::bigint as repeated_count,
    coalesce(sum(ignored_count), 0)::bigint as ignored_count,
    coalesce(sum(parked_count), 0)::bigint as parked_count
from batches
where run_id = :'run_id'::text
    and file_name = :'file_name'::text
    and content_sha256 = '';
