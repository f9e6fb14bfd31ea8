-- purpose: stores the evidence for each time zone: our units of the largest products on the zone's days, and those of them
--          on a day where Apple has as many.
-- grain:   one row per storefront, product, price and day
insert into payrecon.tieout_offset_days (fiscal_period, as_of, storefront, sku, currency, price, day, units, hit_units)
with ours as (
    select
        tie_offset_quarter.line_no, tie_zone.day_before + width_bucket(tie_offset_quarter.quarter_no, tie_zone.begins) as day,
        sum(tie_offset_quarter.units)::bigint as units
    from tie_offset_quarter
    inner join tie_offset on tie_offset.storefront = tie_offset_quarter.storefront
    inner join tie_zone on tie_zone.zone_no = tie_offset.zone_no
    group by 1, 2
)
select
    tie_run.fiscal_period, tie_run.as_of, tie_offset_line.storefront, tie_offset_line.sku, tie_offset_line.currency,
    tie_offset_line.price, ours.day, ours.units, least(ours.units, coalesce(tie_offset_theirs.units, 0))
from ours
inner join tie_offset_line on tie_offset_line.line_no = ours.line_no
left join tie_offset_theirs on tie_offset_theirs.line_no = ours.line_no and tie_offset_theirs.day = ours.day
cross join tie_run
where exists (
    select 1
    from tie_cell
    where tie_cell.country = tie_offset_line.country
        and tie_cell.storefront = tie_offset_line.storefront
);
