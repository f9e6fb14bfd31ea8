-- purpose: Apple's units of the products that tell where its day begins, by day.
-- parameters: none
-- grain:   tie_offset_theirs one row per line and day
create temp table tie_offset_theirs on commit drop as
select tie_offset_line.line_no, tie_l3.day - date '1970-01-01' as day_no, sum(tie_l3.units)::bigint as units
from tie_offset_line
inner join tie_l3
    on tie_l3.sku = tie_offset_line.sku
    and tie_l3.country = tie_offset_line.country
    and tie_l3.currency = tie_offset_line.currency
    and tie_l3.price = tie_offset_line.price
    and tie_l3.sign = 1
group by 1, 2;
