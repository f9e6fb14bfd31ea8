-- purpose: the storefronts, with the hour at which Apple's day usually begins there.
-- parameters: none
-- grain:   tie_place one row per storefront
create temp table tie_place on commit drop as
select storefronts.storefront, storefronts.country, storefronts.offset_hours
from storefronts
union all
select distinct tie_hour.storefront, tie_hour.storefront, 0
from tie_hour
where not exists (select 1 from storefronts where storefronts.storefront = tie_hour.storefront);
