-- purpose: records how long Apple refuses requests, so that no caller reserves a stretch before the pause ends. The
--          clock is operational, not the run's as-of; see reserve_budget.sql.
-- parameters: bundle_id, environment, endpoint (text), now (timestamptz): null for the database's clock, pause_micros (bigint)
-- grain:   one row
insert into api_budgets as budget (bundle_id, environment, endpoint, requested_at, begins_at, taken_to, paused_to)
select
    :'bundle_id'::text, :'environment'::text, :'endpoint'::text, clock.at, clock.at, clock.at,
    clock.at + :'pause_micros'::bigint * interval '1 microsecond'
from (select coalesce(:'now'::timestamptz, clock_timestamp()) as at) as clock
on conflict (bundle_id, environment, endpoint) do update
set paused_to = greatest(budget.paused_to, excluded.paused_to);
