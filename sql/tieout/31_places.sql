-- purpose: the storefronts, with the hour at which Apple's day usually begins there: those that are known, and those in which we sold or
--          gave back anything.
-- parameters: looked_from, looked_to (timestamptz)
-- grain:   tie_place one row per storefront
create temp table tie_place on commit drop as
select storefronts.storefront, storefronts.country, storefronts.offset_hours
from storefronts
union all
select ours.storefront, ours.storefront, 0
from (
    select tie_sold.storefront
    from tie_sold
    union
    select coalesce(charges.storefront, '')
    from charges
    where charges.revoked_at >= :'looked_from'::timestamptz
        and charges.revoked_at < :'looked_to'::timestamptz
) as ours
where not exists (select 1 from storefronts where storefronts.storefront = ours.storefront);
