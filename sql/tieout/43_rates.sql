-- purpose: rates for estimates of proceeds: Apple's share and the included tax by storefront and day. Estimates are needed
--          for cells without Apple's figure and to separate tax from commission. Apple's lines are checked against agreed
--          shares only, those in the settings. The rate after one year is separate, since it applies to some renewals only.
-- parameters: commission_storefronts, commission_programmes, commission_days, commission_points, tax_storefronts, tax_days,
--             tax_points (text[]; storefront '' for all, points in hundredths of a percent), programme (text), shipped
--             (bigint: number of default commissions before those of the settings)
-- grain:   tie_rate one row per rate; of several with one storefront, kind and first day the last counts
create temp table tie_rate on commit drop as
select
    case rate.programme when :'programme'::text then 'commission' else 'after_one_year' end as kind, rate.storefront,
    rate.day::date as day, rate.points::numeric / 10000 as part, rate.place, rate.place > :'shipped'::bigint as is_agreed
from unnest(
    :'commission_storefronts'::text[], :'commission_programmes'::text[], :'commission_days'::text[], :'commission_points'::text[]
) with ordinality as rate (storefront, programme, day, points, place)
where rate.programme in (:'programme'::text, 'rate_after_one_year')
union all
select 'tax', rate.storefront, rate.day::date, rate.points::numeric / 10000, rate.place, false
from unnest(:'tax_storefronts'::text[], :'tax_days'::text[], :'tax_points'::text[])
    with ordinality as rate (storefront, day, points, place);
