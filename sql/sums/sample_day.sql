-- purpose: one day whose sums a night compares with its charges and orders. It differs by clock. The comparison also reads
--          rows of the days beside it, and all three have few enough rows not to delay the night.
-- parameters: row_max (bigint): limit of charges and orders of the three days
-- grain:   one row; none if every day has more rows
with days as (
    select report_sums.day, sum(report_sums.row_count) as row_count
    from payrecon.report_sums
    where report_sums.measure in ('tx', 'order')
    group by report_sums.day
)
select days.day::text as day
from days
inner join days as near on near.day between days.day - 1 and days.day + 1
group by days.day
having sum(near.row_count) <= :'row_max'::bigint
order by md5(days.day::text || payrecon.viewed_at()::text)
limit 1;
