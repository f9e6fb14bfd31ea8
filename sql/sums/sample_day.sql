-- purpose: one day whose sums a night compares with its charges and orders. It differs by clock, and has few enough rows not
--          to delay the night.
-- parameters: row_max (bigint): limit of charges and orders of the day
-- grain:   one row; none if every day has more rows
select report_sums.day::text as day
from payrecon.report_sums
where report_sums.measure in ('tx', 'order')
group by report_sums.day
having sum(report_sums.row_count) <= :'row_max'::bigint
order by md5(report_sums.day::text || payrecon.viewed_at()::text)
limit 1;
