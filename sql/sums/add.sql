-- purpose: what the facts add to each sum, or, with the sign -1, what they added to it.
-- parameters: sign (bigint): 1 or -1; rows/ask.sql says the clock and our apps
-- grain:   one row per row of report_sums
insert into sums_change (bundle_id, environment, currency, day, measure, part, row_count, n, amount)
select
    told.bundle_id, told.environment, told.currency, told.day, told.measure, coalesce(told.part, ''), :'sign'::bigint * count(*),
    :'sign'::bigint * sum(told.n), :'sign'::bigint * coalesce(sum(told.amount), 0)
from fact_rows() as told
group by 1, 2, 3, 4, 5, 6;
