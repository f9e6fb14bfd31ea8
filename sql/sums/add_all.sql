-- purpose: adds up everything.
-- parameters: none; rows/ask.sql says the clock and our apps
-- grain:   one row per row of report_sums
insert into payrecon.report_sums (bundle_id, environment, currency, day, measure, part, row_count, n, amount)
select
    told.bundle_id, told.environment, told.currency, told.day, told.measure, coalesce(told.part, ''), count(*), sum(told.n),
    coalesce(sum(told.amount), 0)
from fact_rows() as told
group by 1, 2, 3, 4, 5, 6;
