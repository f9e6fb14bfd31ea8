-- purpose: the days behind each figure of Apple's time zones: our units of a storefront's largest products on the zone's
--          days, and those of them on a day where Apple has as many.
-- parameters: fiscal_period, storefront, figure (text: unit_count or hit_count; empty for all, - for an empty cell), as_of
--             (timestamptz)
-- grain:   one row per figure, product, price and day; the values of a figure add up to it
select
    latest.fiscal_period, coalesce(nullif(hit.storefront, ''), '-') as storefront, part.figure, hit.sku,
    trim_scale(hit.price)::text || ' ' || hit.currency as price, hit.day::text as day, part.value::text as value
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_offset_days as hit using (fiscal_period, as_of)
cross join lateral (values ('unit_count', hit.units), ('hit_count', hit.hit_units)) as part (figure, value)
where :'fiscal_period'::text in ('', latest.fiscal_period)
    and :'storefront'::text in ('', coalesce(nullif(hit.storefront, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by
    latest.fiscal_period, hit.storefront collate "C", part.figure, hit.day, hit.sku collate "C", hit.currency collate "C", hit.price;
