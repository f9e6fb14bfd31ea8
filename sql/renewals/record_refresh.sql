-- purpose: records the clock of each app's queue.
-- parameters: bundles (text[]), code_version (text), clock (timestamptz)
-- grain:   one row per app
insert into renewal_refreshes (bundle_id, code_version, refreshed_at)
select app.bundle_id, :'code_version'::text, :'clock'::timestamptz
from unnest(:'bundles'::text[]) as app (bundle_id)
order by app.bundle_id
on conflict (bundle_id) do update
set code_version = excluded.code_version, refreshed_at = excluded.refreshed_at;
