-- purpose: Returns the time zone that assigns each storefront's money to fiscal days in all reports: the zone that the
--          tie-out learned, else the usual one.
-- grain:   one row per storefront; storefronts without a row use UTC
create or replace function payrecon.fiscal_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select zones.storefront, zones.zone from payrecon.day_zones() as zones
$$;

-- purpose: Returns the day of an instant in the app's zone and the storefront's fiscal day, counted from 1970-01-01:
--          `20571/20570`.
create or replace function payrecon.day_pair(instant timestamptz, zone text, fiscal_zone text) returns text
language sql stable strict parallel safe
return ((instant at time zone zone)::date - date '1970-01-01') || '/' || ((instant at time zone fiscal_zone)::date - date '1970-01-01');
