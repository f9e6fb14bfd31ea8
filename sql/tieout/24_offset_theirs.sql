-- purpose: Apple's units, by day, of the products from which its time zones are learned.
-- grain:   tie_offset_theirs one row per line and day
create temp table tie_offset_theirs on commit drop as
select line.line_no, line.storefront, tie_l3.day, sum(tie_l3.units)::bigint as units
from tie_offset_line as line
inner join tie_l3 using (sku, country, currency, price)
where tie_l3.sign = 1
    and line.line_no in (select tie_offset_quarter.line_no from tie_offset_quarter)
group by 1, 2, 3;
