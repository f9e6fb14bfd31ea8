-- purpose: our units, by quarter hour, of the products from which Apple's time zones are learned.
-- grain:   tie_offset_quarter one row per line and quarter hour
create temp table tie_offset_quarter on commit drop as
select line.line_no, line.storefront, sold.quarter_no, sum(tie_sold.quantity)::bigint as units
from tie_offset_line as line
inner join tie_sold using (storefront, sku, currency, price)
cross join lateral unnest(tie_sold.quarters) as sold (quarter_no)
where tie_sold.kind = 'sale'
group by 1, 2, 3;
