-- purpose: computes all sums.
-- parameters: none; rows/ask.sql sets the clock and our apps
-- grain:   one row per row of report_sums
insert into payrecon.report_sums (bundle_id, environment, currency, day, measure, part, row_count, n, amount)
select
    fact.bundle_id, fact.environment, fact.currency, fact.day, fact.measure, coalesce(fact.part, ''), count(*), sum(fact.n),
    coalesce(sum(fact.amount), 0)
from fact_rows() as fact
group by 1, 2, 3, 4, 5, 6;
