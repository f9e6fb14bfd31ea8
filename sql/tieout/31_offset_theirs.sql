-- purpose: Apple's units of the products that tell where its day begins, by day.
-- parameters: none
-- grain:   tie_offset_theirs one row per line and day
create temp table tie_offset_theirs on commit drop as
select told.line_no, tie_l3.day - date '1970-01-01' as day_no, sum(tie_l3.units)::bigint as units
from tie_offset_line as told
inner join tie_l3
    on tie_l3.sku = told.sku
    and tie_l3.country = told.country
    and tie_l3.currency = told.currency
    and tie_l3.price = told.price
    and tie_l3.sign = 1
where told.line_no in (select tie_offset_hour.line_no from tie_offset_hour)
group by 1, 2;
