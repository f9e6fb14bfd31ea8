-- purpose: the time zone by whose days each storefront's money falls into fiscal periods, in every report alike: a refund has one fiscal
--          day. As the tie-out learned it, else the usual one.
-- grain:   one row per storefront; one that is not told has UTC
create or replace function payrecon.fiscal_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select zones.storefront, zones.zone from payrecon.day_zones() as zones
$$;

-- purpose: the day of an instant in the app's zone and in that of the storefront's fiscal days, counted from 1970-01-01: `20571/20570`.
create or replace function payrecon.day_pair(instant timestamptz, zone text, fiscal_zone text) returns text
language sql stable strict parallel safe
return ((instant at time zone zone)::date - date '1970-01-01') || '/' || ((instant at time zone fiscal_zone)::date - date '1970-01-01');
