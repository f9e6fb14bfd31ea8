-- purpose: our side by cell: hours put on the day that they have for Apple, days into the fiscal period they should settle in. Where
--          a period's report knows no days, neither do its cells. Units near the ends of a day may lie on the next one.
-- parameters: none
-- grain:   tie_l1 one row per product, storefront, price, sign, day and kind of sale or return
create temp table tie_l1 on commit drop as
with placed as (
    select
        tie_hour.*, tie_offset.country, tie_offset.basis,
        (tie_hour.hour at time zone 'UTC') + tie_offset.offset_hours * interval '1 hour' as local_hour
    from tie_hour
    inner join tie_offset on tie_offset.storefront = tie_hour.storefront
    where tie_hour.kind in ('sale', 'kept', 'refund', 'partial')
)
select
    placed.sku, placed.country, placed.currency, placed.price,
    case when placed.kind in ('sale', 'kept') then 1 else -1 end as sign,
    placed.kind = 'partial' as is_partial,
    tie_day.cell_day as day,
    tie_day.fiscal_period,
    tie_day.place,
    min(placed.bundle_id) as bundle_id,
    min(placed.storefront) as storefront,
    sum(placed.units)::bigint as units,
    coalesce(sum(placed.units) filter (where placed.kind = 'kept'), 0)::bigint as kept_units,
    coalesce(sum(placed.units) filter (where placed.basis = 'usual' or extract(hour from placed.local_hour) < 6), 0)::bigint
        as early_units,
    coalesce(sum(placed.units) filter (where placed.basis = 'usual' or extract(hour from placed.local_hour) >= 18), 0)::bigint
        as late_units
from placed
inner join tie_day on tie_day.day = placed.local_hour::date
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
