-- purpose: time zones of the fiscal days of storefronts.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per storefront; storefronts without a row use UTC
select place.storefront, coalesce(place.zone, 'UTC') as zone from day_zones() as place;
