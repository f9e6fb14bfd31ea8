-- purpose: adds the facts' contribution to each sum, or subtracts it with the sign -1.
-- parameters: sign (bigint): 1 or -1; rows/set_viewed.sql sets the clock and our apps
-- grain:   one row per row of report_sums
insert into sums_change (bundle_id, environment, currency, day, measure, part, row_count, n, amount)
select
    fact.bundle_id, fact.environment, fact.currency, fact.day, fact.measure, coalesce(fact.part, ''), :'sign'::bigint * count(*),
    :'sign'::bigint * sum(fact.n), :'sign'::bigint * coalesce(sum(fact.amount), 0)
from fact_rows() as fact
group by 1, 2, 3, 4, 5, 6;
