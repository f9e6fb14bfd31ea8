-- purpose: the days behind each figure of Apple's time zones: our units of a storefront's largest products on the days of the zone,
--          and those of them that are on a day on which Apple has as many.
-- parameters: fiscal_period, storefront, figure (text: unit_count or hit_count; empty for all of them, - for a cell that is empty),
--             as_of (timestamptz)
-- grain:   one row per figure, product, price and day; the values of a figure add up to it
select
    latest.fiscal_period, coalesce(nullif(told.storefront, ''), '-') as storefront, part.figure, told.sku,
    trim_scale(told.price)::text || ' ' || told.currency as price, told.day::text as day, part.value::text as value
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_offset_days as told
    on told.fiscal_period = latest.fiscal_period
    and told.as_of = latest.as_of
cross join lateral (values ('unit_count', told.units), ('hit_count', told.hit_units)) as part (figure, value)
where :'fiscal_period'::text in ('', latest.fiscal_period)
    and :'storefront'::text in ('', coalesce(nullif(told.storefront, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by
    latest.fiscal_period, told.storefront collate "C", part.figure, told.day, told.sku collate "C", told.currency collate "C", told.price;
