-- purpose: Returns the time zone that assigns each storefront's money to fiscal days in all reports: the zone that the
--          tie-out learned, else the usual one.
-- grain:   one row per storefront; storefronts without a row use UTC
create or replace function payrecon.fiscal_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select zones.storefront, zones.zone from payrecon.day_zones() as zones
$$;
