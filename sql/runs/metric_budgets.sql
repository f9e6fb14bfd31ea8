-- purpose: up to when the budgets of Apple's rate limits are taken, and until when Apple refuses requests, for monitoring.
-- parameters: none
-- grain:   one row per app, App Store and endpoint that was ever asked
select
    bundle_id, environment, endpoint, extract(epoch from taken_to)::bigint as taken_to,
    extract(epoch from paused_to)::bigint as paused_to
from api_budgets
order by bundle_id, environment, endpoint;
