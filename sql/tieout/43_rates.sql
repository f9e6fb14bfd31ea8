-- purpose: what estimates of proceeds rest on: Apple's share and the tax in the price by storefront and day. Estimates are for cells of
--          which Apple told no unit's proceeds, and for telling tax from commission. Apple's lines are checked by the shares that are
--          agreed: those that are set. The rate after one year is kept apart, since it is of some renewals alone.
-- parameters: commission_storefronts, commission_programmes, commission_days, commission_points, tax_storefronts, tax_days,
--             tax_points (text[]; storefront '' for every one, points in hundredths of a percent), programme (text), shipped (bigint:
--             how many commissions stand before those that are set)
-- grain:   tie_rate one row per rate; of two of one storefront, kind and first day the one at the later place counts
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
