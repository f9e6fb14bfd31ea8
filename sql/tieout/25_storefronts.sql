-- purpose: storefronts with the usual time zone of Apple's days: the known ones, and others with our sales or refunds.
-- parameters: charges_from, charges_to (timestamptz)
-- grain:   tie_storefront one row per storefront
create temp table tie_storefront on commit drop as
select storefronts.storefront, storefronts.country, storefronts.zone
from storefronts
union all
select ours.storefront, ours.storefront, 'UTC'
from (
    select tie_sold.storefront
    from tie_sold
    union
    select coalesce(charges.storefront, '')
    from charges
    where charges.revoked_at >= :'charges_from'::timestamptz
        and charges.revoked_at < :'charges_to'::timestamptz
) as ours
where not exists (select 1 from storefronts where storefronts.storefront = ours.storefront);
