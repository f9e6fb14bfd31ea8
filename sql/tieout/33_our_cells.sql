-- purpose: our side by cell: days put into the fiscal period they should settle in. Where a period's report knows no days, neither do
--          its cells.
-- parameters: none
-- grain:   tie_l1 one row per product, storefront, price, sign, day and kind of sale or return
create temp table tie_l1 on commit drop as
select
    ours.sku, ours.country, ours.currency, ours.price,
    case when ours.kind = 'sale' then 1 else -1 end as sign,
    ours.kind = 'partial' as is_partial,
    case when tie_day.source = 'FINANCIAL' then tie_day.starts_on else tie_day.day end as day,
    tie_day.fiscal_period,
    tie_day.place,
    min(ours.bundle_id) as bundle_id,
    min(ours.storefront) as storefront,
    sum(ours.units)::bigint as units,
    sum(ours.kept_units)::bigint as kept_units,
    sum(ours.early_units)::bigint as early_units,
    sum(ours.late_units)::bigint as late_units
from tie_our_day as ours
inner join tie_day on tie_day.day = ours.day
where ours.kind in ('sale', 'refund', 'partial')
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
