-- purpose: Return the parameters of a report and of the rows behind it: clock, apps and fiscal period. An app has a time zone,
--          its last complete day there as its business day, and a start date. The transaction sets them first by
--          sql/rows/set_viewed.sql or set_viewed_period.sql, because distributed tables support only functions without
--          parameters here.
create or replace function payrecon.viewed_at() returns timestamptz
language sql stable parallel safe
return current_setting('payrecon.viewed_at')::timestamptz;

create or replace function payrecon.viewed_apps() returns table (bundle_id text, zone text, business_day date)
language sql stable parallel safe
as $$
    select app.bundle_id, app.zone, (payrecon.viewed_at() at time zone app.zone)::date - 1
    from unnest(
        current_setting('payrecon.viewed_bundles')::text[], current_setting('payrecon.viewed_zones')::text[]
    ) as app (bundle_id, zone)
$$;

create or replace function payrecon.viewed_starts() returns table (bundle_id text, starts_at timestamptz)
language sql stable parallel safe
as $$
    select app.bundle_id, app.starts_at::timestamptz
    from unnest(
        current_setting('payrecon.viewed_bundles')::text[], current_setting('payrecon.viewed_starts')::text[]
    ) as app (bundle_id, starts_at)
    where app.starts_at <> ''
$$;

create or replace function payrecon.viewed_period() returns text
language sql stable parallel safe
return current_setting('payrecon.viewed_period');
