-- purpose: keeps of what it was told where Apple's day begins: our units of the largest products on the days that the offset makes, and
--          how many of them fall on a day on which Apple has as many.
-- parameters: none
-- grain:   one row per storefront, product, price and day
insert into payrecon.tieout_offset_days (fiscal_period, as_of, storefront, sku, currency, price, day, units, hit_units)
with ours as (
    select tie_offset_hour.line_no, floor((tie_offset_hour.hour_no + tie_offset.offset_hours) / 24.0)::integer as day_no,
        sum(tie_offset_hour.units)::bigint as units
    from tie_offset_hour
    inner join tie_offset on tie_offset.storefront = tie_offset_hour.storefront
    group by 1, 2
)
select
    tie_run.fiscal_period, tie_run.as_of, tie_offset_line.storefront, tie_offset_line.sku, tie_offset_line.currency,
    tie_offset_line.price, date '1970-01-01' + ours.day_no, ours.units, least(ours.units, coalesce(tie_offset_theirs.units, 0))
from ours
inner join tie_offset_line on tie_offset_line.line_no = ours.line_no
left join tie_offset_theirs on tie_offset_theirs.line_no = ours.line_no and tie_offset_theirs.day_no = ours.day_no
cross join tie_run
where exists (
    select 1
    from tie_cell
    where tie_cell.country = tie_offset_line.country
        and tie_cell.storefront = tie_offset_line.storefront
);
