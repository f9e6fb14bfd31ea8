-- purpose: our units of the products that tell where Apple's day begins, by hour.
-- parameters: none
-- grain:   tie_offset_hour one row per line and hour
create temp table tie_offset_hour on commit drop as
select
    tie_offset_line.line_no, tie_offset_line.storefront, (extract(epoch from tie_hour.hour) / 3600)::integer as hour_no,
    sum(tie_hour.units)::bigint as units
from tie_hour
inner join tie_offset_line
    on tie_offset_line.storefront = tie_hour.storefront
    and tie_offset_line.sku = tie_hour.sku
    and tie_offset_line.currency = tie_hour.currency
    and tie_offset_line.price = tie_hour.price
where tie_hour.kind in ('sale', 'kept')
group by 1, 2, 3;
