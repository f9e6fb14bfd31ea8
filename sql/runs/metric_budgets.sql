-- purpose: for monitoring: the end of the reserved stretch of Apple's rate limits, and the end of Apple's refusal of requests.
-- grain:   one row per app, environment and endpoint that was ever requested
select
    bundle_id, environment, endpoint, extract(epoch from taken_to)::bigint as taken_to,
    extract(epoch from paused_to)::bigint as paused_to
from api_budgets
order by bundle_id, environment, endpoint;
