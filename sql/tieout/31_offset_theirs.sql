-- purpose: Apple's units of the products from which its time zones are learned, by day.
-- parameters: none
-- grain:   tie_offset_theirs one row per line and day
create temp table tie_offset_theirs on commit drop as
select told.line_no, told.storefront, tie_l3.day, sum(tie_l3.units)::bigint as units
from tie_offset_line as told
inner join tie_l3
    on tie_l3.sku = told.sku
    and tie_l3.country = told.country
    and tie_l3.currency = told.currency
    and tie_l3.price = told.price
    and tie_l3.sign = 1
where told.line_no in (select tie_offset_quarter.line_no from tie_offset_quarter)
group by 1, 2, 3;
